//@ part of: main.c
#include <stdio.h>

extern int n;

__attribute__((constructor)) static void plain(void) { printf("other plain %d\n", ++n); }
__attribute__((constructor(300))) static void numbered(void) { printf("other 300 %d\n", ++n); }
__attribute__((constructor(200))) static void same(void) { printf("other 200 %d\n", ++n); }
__attribute__((destructor)) static void end(void) { printf("other end %d\n", ++n); }
__attribute__((destructor(200))) static void last(void) { printf("other last %d\n", ++n); }
