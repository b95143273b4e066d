//@ engines: explicit; verdict: unsafe
int main(int argc, char **argv)
{
    return 5 / (argc - 1); //~ division-by-zero
}
