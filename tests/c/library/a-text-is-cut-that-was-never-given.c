//@ engines: explicit, auto; verdict: unsafe
#include <string.h>

int main(void)
{
    char *word = strtok(0, " "); //~ null-deref
    return word != 0;
}
