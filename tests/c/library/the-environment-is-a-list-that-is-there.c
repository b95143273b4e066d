//@ engines: explicit, graph, tvl; verdict: clean
#include <stddef.h>
extern char **environ;

int main(void)
{
    return environ[0] != NULL;
}
