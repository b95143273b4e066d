//@ engines: explicit; verdict: safe
//@ args: -UWIDTH -DWIDTH=3
int main(void) {
  int a[WIDTH] = {0};
  return a[2];
}
