//@ engines: explicit, overlay; verdict: unknown
//@ with: files-that-disagree-about-a-result-part.c
// gcc takes the low half.
int count(int n);

int main(void) {
    int table[2] = {0};
    return table[count(1)]; //~ may out-of-bounds
}
