//@ engines: explicit; verdict: unsafe
struct window {
  int head[4];
  int tail[20];
};

int main(void) {
  struct window window = {{0}, {0}};
  return window.head[10]; //~ out-of-bounds
}
