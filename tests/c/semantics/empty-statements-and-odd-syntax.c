//@ differential
#include <stdio.h>

struct empty { };
typedef int number, *pointer, vector[3], function(int);

static function twice;
static int twice(int x) { return 2 * x; }
static int (*chooser(int which))(int) { return which ? twice : 0; }

int main(void)
{
    ;
    {}
    number n = 3;
    pointer p = &n;
    vector v = { 1, 2, 3 };
    function *f = twice;
    if (n)
        ;
    else
        n = 9;
    label: another:
    n++;
    if (n < 6)
        goto label;
    if (n == 0)
        goto another;
    printf("%d %d %d %d\n", *p, v[2], f(4), (***f)(5));
    printf("%d %d\n", chooser(1)(21), chooser(0) == 0);
    printf("%zu\n", sizeof(struct empty));
    int a = 5, b = 2;
    b = a+++b;
    printf("%d %d\n", a, b);
    int x = (int){ 1 } + +1 - -1, y = - -x, z = !~-1;
    printf("%d %d %d\n", x, y, z);
    return 0;
}
