//@ engines: explicit; verdict: unsafe
// After the last word the end of the text is kept, and read at the next call.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(5);
    if (!text)
        return 0;
    strcpy(text, "abcd");
    char *word = strtok(text, "x");
    free(text);
    word = strtok(0, "x"); //~ use-after-free
    return word != 0;
}
