//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
// Wide characters are not followed: the text has no end here.
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t text[2];
    text[0] = L'a';
    text[1] = L'b';
    printf("%ls\n", text);
    return 0;
}
