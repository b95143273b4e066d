//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    return (int)strlen(getenv("HEAPWISE_HOME")); //~ null-deref
}
