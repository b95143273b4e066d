//@ engines: explicit; verdict: unsafe
struct pair {
  char name[8];
  char text[8];
};

int main(void) {
  struct pair pair = {"", ""};
  int i = 9;
  char *p = &pair.name[i]; //~ out-of-bounds
  return *p;
}
