//@ engines: explicit; verdict: safe
//@ args: -funsigned-char
#include <assert.h>

int main(void) {
  char c = -1;
  assert(c == 255);
  assert((char)0x80 > 0);
  assert('\xff' == 255);
#ifndef __CHAR_UNSIGNED__
  assert(0);
#endif
  return 0;
}
