//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *record = malloc(sizeof *record);
    int choice;
    if (record == NULL) return 1;
    while (scanf("%d", &choice) == 1 && choice != 0) {
        if (choice == 1 && record != NULL) {
            free(record); //~ double-free
        }
    }
    free(record); //~ double-free
    return 0;
}
