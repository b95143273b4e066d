//@ engines: explicit, auto; verdict: safe
#include <termios.h>

int main(void)
{
    struct termios before, raw;
    if (tcgetattr(0, &before) < 0)
        return 1;
    raw = before;
    cfmakeraw(&raw);
    tcsetattr(0, TCSANOW, &raw);
    tcsetattr(0, TCSANOW, &before);
    return 0;
}
