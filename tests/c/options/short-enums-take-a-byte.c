//@ engines: explicit; verdict: safe
//@ args: -fshort-enums -fshort-wchar
#include <assert.h>

enum letter { A, B };
struct letters {
  enum letter first, second;
};

int main(void) {
  assert(sizeof(enum letter) == 1 && sizeof(struct letters) == 2);
  assert(sizeof(L"ab") == 6);
  return 0;
}
