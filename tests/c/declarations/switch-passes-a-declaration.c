//@ engines: explicit, graph, tvl, overlay, refine; verdict: safe
int main(void)
{
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 3;
            break;
        case 1:
            x = 0;
            return x;
        }
    }
    return 0;
}
