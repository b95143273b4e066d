//@ engines: auto; verdict: safe
#include <stdio.h>

enum state { START, WORD, SPACE, N_STATES };

static const enum state next[N_STATES][2] = {
    {WORD, SPACE}, {WORD, SPACE}, {WORD, SPACE},
};

int main(void) {
    enum state s = START;
    int words = 0, c;
    while ((c = getchar()) != EOF) {
        int kind = (c == ' ' || c == '\n') ? 1 : 0;
        enum state old = s;
        s = next[s][kind];
        if (s == WORD && old != WORD) words++;
    }
    printf("%d\n", words);
    return 0;
}
