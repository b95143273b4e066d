//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <time.h>

int main(void) {
    static const char *const names[3] = {"jan", "feb", "mar"};
    time_t now = time(NULL);
    if (now == (time_t)-1) return 1;
    puts(names[now % 4]); //~ out-of-bounds
    return 0;
}
