//@ differential
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = 5;

int main(void)
{
    printf("%d ", atomic_fetch_add(&counter, 3));
    printf("%d\n", atomic_load(&counter));
    int expected = 8;
    printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 20));
    printf("%d\n", (int)counter);
    expected = 1;
    printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 30));
    printf("%d\n", expected);
    long plain = 4;
    printf("%ld ", __sync_fetch_and_or(&plain, 3));
    printf("%ld ", __atomic_exchange_n(&plain, 9, __ATOMIC_SEQ_CST));
    printf("%ld\n", plain);
    counter++;
    counter -= 2;
    printf("%d\n", counter);
    return 0;
}
