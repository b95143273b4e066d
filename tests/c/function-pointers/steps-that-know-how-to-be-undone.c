//@ engines: tvl; verdict: safe
// Each step that was done is a cell with the function that undoes it; all are undone from the last to the first.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct step {
    void (*undo)(int **);
    struct step *before;
};

static void undo_make(int **value)
{
    free(*value);
    *value = NULL;
}

static void undo_nothing(int **value)
{
    (void)value;
}

static struct step *done(struct step *before, void (*undo)(int **))
{
    struct step *step = malloc(sizeof *step);
    if (!step)
        return NULL;
    step->undo = undo;
    step->before = before;
    return step;
}

int main(void)
{
    int *value = NULL;
    struct step *steps = NULL;
    while (__VERIFIER_nondet_int()) {
        struct step *step;
        if (!value && __VERIFIER_nondet_int()) {
            step = done(steps, undo_make);
            if (step)
                value = malloc(sizeof *value);
        } else {
            step = done(steps, undo_nothing);
        }
        if (step)
            steps = step;
    }
    while (steps) {
        struct step *before = steps->before;
        steps->undo(&value);
        free(steps);
        steps = before;
    }
    return 0;
}
