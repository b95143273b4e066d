//@ engines: explicit; verdict: unsafe
#include <string.h>

int main(void)
{
    char text[4];
    text[0] = 'a';
    return strcmp(text, "ab"); //~ uninitialised
}
