//@ engines: explicit, auto; verdict: safe
#ident "one note"
# sccs "another note"
#pragma STDC FP_CONTRACT ON
_Pragma("GCC diagnostic ignored \"-Wunused\"")
#if __has_include(<stdio.h>)
#include <stdio.h>
#endif
# 12 "elsewhere.c"
#line 20 "and-there.c"

int main(void)
{
    return 0;
}
