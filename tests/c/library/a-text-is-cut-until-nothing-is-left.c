//@ engines: explicit, auto; verdict: safe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(6);
    if (!text)
        return 0;
    strcpy(text, " a bc");
    int words = 0;
    for (char *word = strtok(text, " "); word; word = strtok(0, " "))
        words++;
    int *p = words == 2 && !strtok(0, " ") ? &words : 0;
    *p = 0;
    free(text);
    return 0;
}
