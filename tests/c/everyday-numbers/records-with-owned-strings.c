//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char *name;
    int age;
};

int main(void) {
    struct person people[3];
    const char *names[] = {"ann", "bob", "eve"};
    int n = 0;
    for (int i = 0; i < 3; i++) {
        people[i].name = strdup(names[i]);
        if (!people[i].name) break;
        people[i].age = 20 + i;
        n++;
    }
    for (int i = 0; i < n; i++)
        printf("%s %d\n", people[i].name, people[i].age);
    for (int i = 0; i < n; i++)
        free(people[i].name);
    return 0;
}
