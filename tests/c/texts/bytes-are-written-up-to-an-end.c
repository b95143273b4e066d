//@ engines: overlay; verdict: safe
int main(void) {
    char buffer[40];
    char *end = buffer + sizeof buffer;
    for (char *at = buffer; at < end; at++) *at = 'x';
    return 0;
}
