//@ engines: explicit; verdict: safe
// A flexible member, the struct hack with one element, one past the end, a pointer moved over its object, and a marker.
#include <stdlib.h>

struct flexible {
  int count;
  int data[];
};
struct hack {
  int count;
  char data[1];
};
struct marked {
  int head[2];
  int marker[0];
  int tail[2];
};
struct nested {
  int count;
  union {
    char bytes[4];
    struct {
      char kind;
      char rest[1];
    } text;
  } u;
};

int main(void) {
  int sum = 0;
  struct flexible *flexible = malloc(sizeof *flexible + 4 * sizeof(int));
  struct hack *hack = malloc(sizeof *hack + 10);
  struct nested *nested = malloc(sizeof *nested + 10);
  struct marked marked = {{1, 2}, {}, {3, 4}};
  if (flexible && hack && nested) {
    flexible->data[3] = 1;
    hack->data[9] = 1;
    nested->u.text.rest[6] = 2;
    sum = flexible->data[3] + hack->data[9] + nested->u.text.rest[6];
  }
  int *end = &marked.head[2];
  for (int *p = marked.head; p != end; p++)
    sum += *p;
  sum += marked.marker[1];
  int *over = marked.head;
  sum += over[3];
  free(flexible);
  free(hack);
  free(nested);
  return sum;
}
