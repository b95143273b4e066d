//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contact { char *name; int number; };

int main(void) {
    struct contact contact = {NULL, 0};
    int command;
    contact.name = malloc(4);
    if (contact.name == NULL) return 1;
    strcpy(contact.name, "ann");
    while ((command = getchar()) != EOF && command != 'q') {
        if (command == 'd') {
            free(contact.name);
            break;
        }
    }
    if (command == 'd' && contact.name != NULL) {
        puts(contact.name); //~ use-after-free
    }
    if (command != 'd') free(contact.name);
    return 0;
}
