//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
// A format with numbered arguments is not understood: the text has no end here.
#include <stdio.h>

int main(void)
{
    char text[2];
    text[0] = 'a';
    text[1] = 'b';
    printf("%1$s\n", text);
    return 0;
}
