//@ differential
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int (*binary)(int, int);

static binary pick(char op)
{
    switch (op) {
    case '+': return add;
    case '-': return &sub;
    case '*': return *mul;
    }
    return 0;
}

static int fold(binary f, const int *v, int n)
{
    int r = v[0];
    for (int i = 1; i < n; i++)
        r = f(r, v[i]);
    return r;
}

struct op { const char *name; binary run; };

static const struct op ops[] = { { "add", add }, { "sub", sub }, { "mul", mul } };

int main(void)
{
    int v[] = { 7, 3, 2 };
    for (const char *p = "+-*/"; *p; p++) {
        binary f = pick(*p);
        if (f)
            printf("%c %d\n", *p, fold(f, v, 3));
        else
            printf("%c none\n", *p);
    }
    for (unsigned i = 0; i < 3; i++)
        printf("%s %d %d\n", ops[i].name, ops[i].run(9, 4), (*ops[i].run)(1, 2));
    binary table[2][2] = { { add, sub }, { mul, add } };
    printf("%d %d\n", table[1][0](6, 7), table[0][1] == sub);
    binary (*chooser)(char) = pick;
    printf("%d\n", chooser('+')(chooser('*')(3, 4), 1));
    return 0;
}
