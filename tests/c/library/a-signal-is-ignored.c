//@ engines: explicit, auto; verdict: safe
#include <signal.h>

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    return 0;
}
