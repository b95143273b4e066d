//@ differential
// A generic sort over bytes, with a comparison function.
#include <stdio.h>
#include <string.h>

struct person { const char *name; int age; };

static void sort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *bytes = base, tmp[64];
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; j--) {
            memcpy(tmp, bytes + j * size, size);
            memcpy(bytes + j * size, bytes + (j - 1) * size, size);
            memcpy(bytes + (j - 1) * size, tmp, size);
        }
    }
}

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name);
}

static int by_age(const void *a, const void *b)
{
    return ((const struct person *)a)->age - ((const struct person *)b)->age;
}

int main(void)
{
    int v[] = { 5, -3, 99, 0, 42, -3 };
    struct person people[] = { { "mia", 30 }, { "abe", 52 }, { "zoe", 19 } };
    sort(v, 6, sizeof *v, by_int);
    for (int i = 0; i < 6; i++)
        printf("%d ", v[i]);
    sort(people, 3, sizeof *people, by_name);
    printf("%s %s %s ", people[0].name, people[1].name, people[2].name);
    sort(people, 3, sizeof *people, by_age);
    printf("%s %s %s\n", people[0].name, people[1].name, people[2].name);
    return 0;
}
