//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

struct header { unsigned char n_records; unsigned char first; };

int main(void) {
    struct header header;
    if (fread(&header, sizeof header, 1, stdin) != 1) return 1;
    if (header.n_records == 0) return 1;
    char *records = calloc(header.n_records, 1);
    if (records == NULL) return 1;
    records[header.first] = 1; //~ out-of-bounds
    free(records);
    return 0;
}
