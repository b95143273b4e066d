//@ engines: explicit, graph; verdict: unknown
//@ args: -ffast-math
int main(void) {
  return 0;
}
