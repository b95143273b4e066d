//@ engines: overlay; verdict: unsafe
int main(void) {
    char buffer[40];
    char *end = buffer + sizeof buffer;
    for (char *at = buffer; at <= end; at++) *at = 'x'; //~ out-of-bounds
    return 0;
}
