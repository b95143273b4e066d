//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

struct student {
    int id;
    double marks[3];
};

int main(void) {
    int n;
    printf("how many? ");
    if (scanf("%d", &n) != 1 || n <= 0 || n > 30) return 1;
    struct student *s = malloc(n * sizeof(struct student));
    for (int i = 0; i < n; i++) {
        s[i].id = i + 1; //~ null-deref
        for (int j = 0; j < 3; j++)
            s[i].marks[j] = 10.0 * j;
    }
    for (int i = 0; i < n; i++)
        printf("%d %f\n", s[i].id, s[i].marks[0]); //~ may uninitialised //~ may out-of-bounds
    free(s);
    return 0;
}
