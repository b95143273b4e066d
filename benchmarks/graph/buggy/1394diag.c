//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in 1394diag.c.
 *
 * A model of the diagnostic driver of the IEEE 1394 bus: four lists that have nothing to do with each other, changed by
 * the requests and interrupts of a running device.
 */
#include "list.h"

struct reset_request {
    int irp;
    struct reset_request *next;
};

struct crom_entry {
    int handle;
    int length;
    struct crom_entry *next;
};

struct address_range {
    int handle;
    int low, high;
    struct address_range *next;
};

struct isoch_transfer {
    int channel;
    int detached;
    struct isoch_transfer *next;
};

/* An application waits for the next bus reset. */
static void request_reset(struct reset_request **requests)
{
    struct reset_request *request = malloc(sizeof *request);
    if (request == NULL)
        return;
    request->irp = __VERIFIER_nondet_int();
    request->next = *requests;
    *requests = request;
}

/* The bus was reset: everybody who waited is told. */
static void complete_resets(struct reset_request **requests)
{
    while (*requests != NULL) {
        struct reset_request *request = *requests;
        *requests = request->next;
        free(request);
    }
}

/* The application does not wait any more. */
static void cancel_reset(struct reset_request **requests, int irp)
{
    struct reset_request *previous = NULL;
    struct reset_request *request = *requests;
    while (request != NULL && request->irp != irp) {
        previous = request;
        request = request->next;
    }
    if (request == NULL)
        return;
    if (previous == NULL)
        *requests = request->next;
    else
        previous->next = request->next;
    free(request);
}

static int set_crom(struct crom_entry **entries)
{
    struct crom_entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return -1;
    entry->handle = __VERIFIER_nondet_int();
    entry->length = __VERIFIER_nondet_int();
    entry->next = *entries;
    *entries = entry;
    return 0;
}

static int clear_crom(struct crom_entry **entries, int handle)
{
    struct crom_entry *previous = NULL;
    struct crom_entry *entry = *entries;
    while (entry != NULL && entry->handle != handle) {
        previous = entry;
        entry = entry->next;
    }
    if (entry == NULL)
        return -1;
    if (previous == NULL)
        *entries = entry->next;
    else
        previous->next = entry->next;
    free(entry);
    return 0;
}

static int allocate_range(struct address_range **ranges)
{
    struct address_range *range = malloc(sizeof *range);
    if (range == NULL)
        return -1;
    range->handle = __VERIFIER_nondet_int();
    range->low = __VERIFIER_nondet_int();
    range->high = range->low + 512;
    range->next = *ranges;
    *ranges = range;
    return 0;
}

static void free_range(struct address_range **ranges, int handle)
{
    struct address_range *previous = NULL;
    struct address_range *range = *ranges;
    while (range != NULL && range->handle != handle) {
        previous = range;
        range = range->next;
    }
    if (range == NULL)
        return;
    if (previous == NULL)
        *ranges = range->next;
    else
        previous->next = range->next;
    free(range);
}

/* A remote node reads or writes one of our ranges. */
static int serve_range(struct address_range *ranges, int address)
{
    while (ranges != NULL) {
        if (ranges->low <= address && address < ranges->high)
            return ranges->handle;
        ranges = ranges->next;
    }
    return -1;
}

static void attach_buffer(struct isoch_transfer **transfers)
{
    struct isoch_transfer *transfer = malloc(sizeof *transfer);
    if (transfer == NULL)
        return;
    transfer->channel = __VERIFIER_nondet_int();
    transfer->detached = 0;
    transfer->next = *transfers;
    *transfers = transfer;
}

static void mark_detached(struct isoch_transfer *transfers, int channel)
{
    while (transfers != NULL) {
        if (transfers->channel == channel)
            transfers->detached = 1;
        transfers = transfers->next;
    }
}

/* Buffers that were detached are given back. */
static void sweep_buffers(struct isoch_transfer **transfers)
{
    struct isoch_transfer *kept = NULL;
    while (*transfers != NULL) {
        struct isoch_transfer *transfer = *transfers;
        *transfers = transfer->next;
        if (transfer->detached) {
            free(transfer);
        } else {
            transfer->next = NULL;
            kept = transfer; //~ leak
        }
    }
    *transfers = kept;
}

int main(void)
{
    struct reset_request *requests = NULL;
    struct crom_entry *entries = NULL;
    struct address_range *ranges = NULL;
    struct isoch_transfer *transfers = NULL;

    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            request_reset(&requests);
            break;
        case 1:
            complete_resets(&requests);
            break;
        case 2:
            cancel_reset(&requests, __VERIFIER_nondet_int());
            break;
        case 3:
            set_crom(&entries);
            break;
        case 4:
            clear_crom(&entries, __VERIFIER_nondet_int());
            break;
        case 5:
            allocate_range(&ranges);
            break;
        case 6:
            free_range(&ranges, __VERIFIER_nondet_int());
            break;
        case 7:
            serve_range(ranges, __VERIFIER_nondet_int());
            break;
        case 8:
            attach_buffer(&transfers);
            break;
        case 9:
            mark_detached(transfers, __VERIFIER_nondet_int());
            break;
        default:
            sweep_buffers(&transfers);
            break;
        }
    }

    hw_assert_acyclic(requests);
    hw_assert_acyclic(entries);
    hw_assert_acyclic(ranges);
    hw_assert_acyclic(transfers);

    /* The device is removed. */
    complete_resets(&requests);
    while (entries != NULL) {
        struct crom_entry *entry = entries;
        entries = entry->next;
        free(entry);
    }
    while (ranges != NULL) {
        struct address_range *range = ranges;
        ranges = range->next;
        free(range);
    }
    while (transfers != NULL) {
        struct isoch_transfer *transfer = transfers;
        transfers = transfer->next;
        free(transfer);
    }
    return 0;
}
