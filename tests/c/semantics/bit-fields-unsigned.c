//@ differential
#include <stdio.h>

struct packed_date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
};

int main(void)
{
    struct packed_date d = { 31, 12, 2026 };
    printf("%u %u %u %zu\n", d.day, d.month, d.year, sizeof d);
    d.day++;
    printf("%u\n", d.day);
    d.month += 5;
    printf("%u\n", d.month);
    d.year = 5000;
    printf("%u\n", d.year);
    printf("%u\n", d.day = 33);
    printf("%u %u %u\n", d.day, d.month, d.year);
    d.day |= 6;
    d.day <<= 1;
    printf("%u %d\n", d.day, -d.day);
    printf("%d\n", d.day - 20 < 0);
    return d.month;
}
