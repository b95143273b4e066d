//@ engines: explicit; verdict: unknown
int main(int argc, char **argv)
{
    return 1 << argc;
}
