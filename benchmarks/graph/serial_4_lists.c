/*
 * A model of the serial port driver with its queues of read, write, mask and purge requests. Interrupts and calls of
 * applications arrive in any order; each touches one queue.
 */
#include "serial.h"

int main(void)
{
    struct request *reads = NULL;
    struct request *writes = NULL;
    struct request *masks = NULL;
    struct request *purges = NULL;

    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            enqueue(&reads);
            break;
        case 1:
            start_next(&reads);
            break;
        case 2:
            enqueue(&writes);
            break;
        case 3:
            start_next(&writes);
            break;
        case 4:
            enqueue(&masks);
            break;
        case 5:
            start_next(&masks);
            break;
        case 6:
            enqueue(&purges);
            break;
        case 7:
            start_next(&purges);
            break;
        case 8:
            cancel(&reads, __VERIFIER_nondet_int());
            break;
        case 9:
            cancel(&writes, __VERIFIER_nondet_int());
            break;
        case 10:
            cancel(&masks, __VERIFIER_nondet_int());
            break;
        case 11:
            /* A purge request throws away what waits to be read and written. */
            purge(&reads);
            purge(&writes);
            start_next(&purges);
            break;
        default:
            hw_assert_acyclic(reads);
            hw_assert_acyclic(writes);
            break;
        }
    }

    hw_assert_disjoint(reads, writes);
    hw_assert_disjoint(masks, purges);

    /* The port is closed. */
    purge(&reads);
    purge(&writes);
    purge(&masks);
    purge(&purges);
    return 0;
}
