//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *output = "out";
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == 'o') { //~ may out-of-bounds
            output = argv[++i];
        }
    }
    return output[0] == '-'; //~ null-deref
}
