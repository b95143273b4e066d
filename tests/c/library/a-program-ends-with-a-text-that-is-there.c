//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
#include <err.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *text = malloc(2);
    if (!text)
        err(1, NULL);
    free(text);
    errx(1, "no %s", "text");
}
