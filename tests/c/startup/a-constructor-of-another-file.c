//@ engines: explicit, graph, overlay, auto; verdict: safe
//@ with: the-other-file.c
extern int *shared;

int main(void)
{
    return *shared;
}
