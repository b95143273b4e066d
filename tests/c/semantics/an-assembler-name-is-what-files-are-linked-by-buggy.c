//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
//@ with: an-assembler-name-is-what-files-are-linked-by-part.c
// The call goes to the function that the linker knows as `nothing`, whatever its name is here.
int *something(void) __asm__("nothing");

int main(void) {
    return *something(); //~ null-deref
}
