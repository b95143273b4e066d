//@ differential
#include <stdio.h>

int main(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%5d] [%-5d] [%05d] [%+d]\n", -42, -42, -42, -42);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", 255u, 255u, 255u, 255u, 8u, 8u);
    printf("[%hhd] [%hhu] [%hd] [%hu]\n", 300, 300, 70000, 70000);
    printf("[%ld] [%lu] [%lx] [%lld] [%llu]\n", -1l, ~0ul, 0xabcul, -5ll, 5ull);
    printf("[%zu] [%zd] [%jd]\n", (size_t)9, (ssize_t)-9, (__intmax_t)77);
    printf("[%.3d] [%8.3d] [%-8.3d] [%.0d]\n", 7, 7, 7, 0);
    printf("[%*d] [%-*d] [%.*d]\n", 6, 1, 6, 2, 4, 3);
    printf("[%c] [%3c] [%-3c] [%%]\n", 'a', 'b', 'c');
    printf("[%s] [%8s] [%-8s] [%.2s] [%8.2s]\n", "abc", "abc", "abc", "abc", "abc");
    int n = printf("%d%d\n", 1234, -5);
    printf("%d\n", n);
    return 0;
}
