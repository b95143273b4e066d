//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 3;
            break;
        case 1:
            return x; //~ uninitialised
        }
    }
    return 0;
}
