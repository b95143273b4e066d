//@ engines: explicit; verdict: unsafe
int matrix[3][4];

int main(void) {
  int column = 4;
  matrix[1][column] = 1; //~ out-of-bounds
  return 0;
}
