//@ engines: explicit, graph; verdict: unsafe
#include <stdlib.h>

static void at_the_closing_brace(void)
{
    char *text = malloc(1);
    if (text)
        text[0] = 1;
} //~ leak

static void at_the_return(int early)
{
    char *text = malloc(1);
    if (early)
        return; //~ leak
    free(text);
}

static void behind_a_loop(int n)
{
    char *text = malloc(1);
    while (n-- > 0)
        if (text)
            text[0] = 1;
} //~ leak

int main(void)
{
    at_the_closing_brace();
    at_the_return(1);
    behind_a_loop(2);
    char *own = malloc(1);
    if (own)
        own[0] = 1;
} //~ leak
