//@ differential
// Arithmetic and exchanging instructions of x86 over operands, as kernels write their atomic operations.
#include <stdbool.h>
#include <stdio.h>

#define LOCKED ".pushsection .text\n.popsection\n671:\n\tlock; "

static void add(int i, int *v)
{
    __asm__ volatile(LOCKED "addl %1,%0" : "+m"(*v) : "ir"(i) : "memory");
}

static bool sub_and_test(long i, long *v)
{
    bool c;
    __asm__ volatile(LOCKED "subq %[val], %[var]\n\t/* output condition code e*/\n"
                     : [var] "+m"(*v), "=@cce"(c)
                     : [val] "er"(i)
                     : "memory");
    return c;
}

static bool add_negative(int i, int *v)
{
    bool c;
    __asm__ volatile(LOCKED "addl %[val], %[var]" : [var] "+m"(*v), "=@ccs"(c) : [val] "er"(i) : "memory");
    return c;
}

static bool dec_and_test(int *v)
{
    bool c;
    __asm__ volatile(LOCKED "decl %[var]" : [var] "+m"(*v), "=@cce"(c) : : "memory");
    return c;
}

static int fetch_add(int i, int *v)
{
    __asm__ volatile(LOCKED "xaddl %0, %1\n" : "+r"(i), "+m"(*v) : : "memory", "cc");
    return i;
}

static short exchange(short new, short *v)
{
    __asm__ volatile("xchgw %w0, %1\n" : "+r"(new), "+m"(*v) : : "memory", "cc");
    return new;
}

static int compare_exchange(volatile unsigned *v, int old, int new)
{
    int held;
    __asm__ volatile(LOCKED "cmpxchgl %2,%1" : "=a"(held), "+m"(*v) : "r"(new), "0"(old) : "memory");
    return held;
}

static bool try_exchange(volatile unsigned long *v, long *old, long new)
{
    bool success;
    long expected = *old;
    __asm__ volatile(LOCKED "cmpxchgq %[new], %[ptr]"
                     : "=@ccz"(success), [ptr] "+m"(*v), [old] "+a"(expected)
                     : [new] "r"(new)
                     : "memory");
    if (!success)
        *old = expected;
    return success;
}

static unsigned char bits(unsigned char v)
{
    bool clear;
    __asm__("andb $12,%0" : "+q"(v), "=@ccnz"(clear));
    printf("%d ", clear);
    __asm__("orb %b1,%0" : "+q"(v) : "q"((unsigned char)65));
    __asm__("xorb $-1,%0" : "+q"(v));
    return v;
}

int main(void)
{
    int n = 3;
    add(4, &n);
    add(-9, &n);
    printf("%d\n", n);
    n = 2147483647;
    for (int i = 0; i < 2; i++) {
        bool negative = add_negative(2147483647, &n);
        printf("%d %d\n", negative, n);
    }
    n = 2;
    for (int i = 0; i < 3; i++) {
        bool last = dec_and_test(&n);
        printf("%d %d\n", last, n);
    }
    int before = fetch_add(10, &n);
    printf("%d %d\n", before, n);
    long l = 1L << 40;
    bool zero = sub_and_test(1, &l);
    printf("%d %ld\n", zero, l);
    zero = sub_and_test(l, &l);
    printf("%d %ld\n", zero, l);
    short s = -7, held = exchange(300, &s);
    printf("%d %d\n", held, s);
    unsigned u = 5;
    for (int i = 0; i < 2; i++) {
        int found = compare_exchange(&u, 5, i - 1);
        printf("%d %u\n", found, u);
    }
    unsigned long w = 8;
    long old = 7;
    for (int i = 0; i < 3; i++) {
        bool success = try_exchange(&w, &old, i);
        printf("%d %ld %lu\n", success, old, w);
    }
    printf("%d\n", bits(15));
    printf("%d\n", bits(3));
    return 0;
}
