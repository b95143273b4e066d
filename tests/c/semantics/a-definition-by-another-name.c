//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Nobody defines what the linker knows as `answer`: the definition has another name there.
int answer(void);
int other(void) __asm__("answer_of_another_library");

int main(void) {
    return answer() + other();
}
