//@ differential
#include <stdio.h>
#include <stdlib.h>

static void split(const char *text, char ***fields, int *count)
{
    *count = 0;
    *fields = NULL;
    while (*text) {
        char **grown = realloc(*fields, (*count + 1) * sizeof **fields);
        if (!grown)
            exit(1);
        *fields = grown;
        int n = 0;
        while (text[n] && text[n] != ':')
            n++;
        char *field = malloc(n + 1);
        if (!field)
            exit(1);
        for (int i = 0; i < n; i++)
            field[i] = text[i];
        field[n] = 0;
        (*fields)[(*count)++] = field;
        text += n + (text[n] == ':');
    }
}

int main(void)
{
    char **fields;
    int count;
    split("root:x::0:/bin/sh", &fields, &count);
    for (int i = count; i-- > 0;)
        printf("<%s>", fields[i]);
    printf(" %d\n", count);
    int a = 1, b = 2, *pa = &a, *pb = &b, **x = &pa, **y = &pb, ***z = &x;
    **z = *y;
    *pa = 30;
    z = &y;
    ***z += 3;
    printf("%d %d\n", a, b);
    int *rows[3] = { &a, &b, &a };
    int **cursor = rows + 2;
    **cursor-- = 7;
    printf("%d %d %d\n", *rows[0], **cursor, (int)(cursor - rows));
    for (int i = 0; i < count; i++)
        free(fields[i]);
    free(fields);
    return 0;
}
