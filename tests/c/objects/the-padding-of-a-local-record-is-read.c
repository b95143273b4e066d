//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// Stores to members do not write the bytes between them.
struct mixed {
    char letter;
    int number;
};

int main(void)
{
    struct mixed mixed;
    mixed.letter = 'a';
    mixed.number = 1;
    const char *bytes = (const char *)&mixed;
    if (bytes[1]) //~ may uninitialised
        return 1;
    return 0;
}
