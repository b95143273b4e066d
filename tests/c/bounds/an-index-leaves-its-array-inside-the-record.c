//@ engines: explicit; verdict: unsafe
struct window {
  int head[4];
  int tail[20];
};

int main(void) {
  struct window window = {{0}, {0}};
  int i, sum = 0;
  for (i = 0; i < 6; i++)
    sum += window.head[i]; //~ out-of-bounds
  return sum;
}
