//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <time.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    time_t seconds = 0;
    time_t *place = __VERIFIER_nondet_int() ? &seconds : 0;
    time(place);
    return seconds < 0;
}
