//@ engines: explicit; verdict: unknown
int main(int argc, char **argv)
{
    return 5 / (argc - 1);
}
