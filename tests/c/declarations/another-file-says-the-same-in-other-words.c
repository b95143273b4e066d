//@ engines: explicit, graph, tvl, overlay; verdict: safe
//@ with: another-file-says-the-same-in-other-words-part.c
// Declarations that do not hinder each other: signs, enumerations, incomplete types, targets of pointers, no prototype.
enum colour { RED, GREEN };
struct cell;
extern const int table[];
int f(enum colour, const struct cell *, char *);
unsigned g();
void h(unsigned char *);

int main(void) {
    h(0);
    return f(GREEN, 0, 0) + (int)g() + table[1] - 7;
}
