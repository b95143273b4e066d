//@ differential
//@ with: other.c
#include <stdio.h>

int n;

__attribute__((constructor)) static void plain(void) { printf("main plain %d\n", ++n); }
__attribute__((constructor(301))) static void numbered(void) { printf("main 301 %d\n", ++n); }
__attribute__((constructor(200))) static void same(void) { printf("main 200 %d\n", ++n); }
__attribute__((destructor)) static void end(void) { printf("main end %d\n", ++n); }
__attribute__((destructor(200))) static void last(void) { printf("main last %d\n", ++n); }

int main(void)
{
    printf("main %d\n", ++n);
    return 0;
}
