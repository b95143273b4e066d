//@ engines: explicit; verdict: unsafe
#include <time.h>

int main(void)
{
    union { time_t when; char byte; } some;
    some.byte = 1;
    localtime(&some.when); //~ uninitialised
    return 0;
}
