//@ engines: overlay; verdict: safe
#include <stdlib.h>

int main(int argc, char **argv) {
    int *numbers = malloc(4 * sizeof *numbers);
    if (!numbers) return 1;
    for (int i = 0; i < 4; i++)
        numbers[i] = argc;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += numbers[i] > 3;
    free(numbers);
    (void)argv;
    return sum;
}
