//@ engines: explicit; verdict: safe
//@ args: -std=c99
#ifdef linux
#error "an extension of the name space"
#endif

int main(void) {
  int typeof = 0;
  return typeof // and comments of the newer kind are there
      ;
}
