//@ engines: explicit, overlay, auto; verdict: unsafe
typedef unsigned __int128 wide;

int main(void)
{
    int a[2] = {0};
    wide top = (wide)-1 >> 127;
    return a[(int)top + 1];   //~ out-of-bounds
}
