#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fuel = 60;

struct cell {
    long value;
    struct cell *next;
};

static struct cell *cells;
static int length;

static void push(long value)
{
    struct cell *cell = length < 20 ? malloc(sizeof *cell) : NULL;
    if (cell) {
        cell->value = value;
        cell->next = cells;
        cells = cell;
        length++;
    }
}

static int pop(void)
{
    struct cell *cell = cells;
    if (!cell)
        return -1;
    int value = (int)cell->value;
    cells = cell->next;
    free(cell);
    length--;
    return value;
}

static unsigned total(void)
{
    unsigned sum = 0;
    for (struct cell *cell = cells; cell; cell = cell->next)
        sum = sum * 7 + (unsigned)cell->value;
    return sum;
}

static unsigned drain(void)
{
    unsigned sum = total();
    while (cells)
        sum ^= (unsigned)pop();
    return sum;
}

static unsigned collect(const char *kinds, ...)
{
    unsigned long sum = 0;
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i':
            sum += (unsigned long)va_arg(list, int);
            break;
        case 'u':
            sum ^= va_arg(list, unsigned);
            break;
        case 'l':
            sum -= (unsigned long)va_arg(list, long);
            break;
        }
    }
    va_end(list);
    return (unsigned)(sum ^ sum >> 32);
}

static int div_i32(int a, int b) { return b == 0 || b == -1 ? a : a / b; }
static int mod_i32(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }
static unsigned div_u32(unsigned a, unsigned b) { return b == 0 ? a : a / b; }
static unsigned mod_u32(unsigned a, unsigned b) { return b == 0 ? 1 : a % b; }
static long div_i64(long a, long b) { return b == 0 || b == -1 ? a : a / b; }
static long mod_i64(long a, long b) { return b == 0 || b == -1 ? 0 : a % b; }
static unsigned long div_u64(unsigned long a, unsigned long b) { return b == 0 ? a : a / b; }
static unsigned long mod_u64(unsigned long a, unsigned long b) { return b == 0 ? 1 : a % b; }

