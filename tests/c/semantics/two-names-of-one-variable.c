//@ engines: explicit, graph, tvl, overlay; verdict: safe
int *cursor;
extern int *also_cursor __asm__("cursor");

int main(void) {
    static int value;
    cursor = 0;
    also_cursor = &value;
    return *cursor;
}
