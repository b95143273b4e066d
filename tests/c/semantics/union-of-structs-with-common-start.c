//@ differential
#include <stdio.h>

enum tag { INT, TEXT, PAIR };

struct value {
    enum tag tag;
    union {
        int number;
        const char *text;
        struct { struct value *first, *second; };
    };
};

static int weight(const struct value *v)
{
    switch (v->tag) {
    case INT:
        return v->number;
    case TEXT: {
        int n = 0;
        for (const char *p = v->text; *p; p++)
            n++;
        return n;
    }
    case PAIR:
        return weight(v->first) * weight(v->second);
    }
    return -1;
}

int main(void)
{
    struct value a = { .tag = INT, .number = 7 };
    struct value b = { .tag = TEXT, .text = "hello" };
    struct value c = { .tag = PAIR, .first = &a, .second = &b };
    struct value d = { PAIR, { .first = &c } };
    d.second = &c;
    printf("%d %d %d %d\n", weight(&a), weight(&b), weight(&c), weight(&d));
    return 0;
}
