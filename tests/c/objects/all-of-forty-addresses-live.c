//@ engines: explicit, graph, auto; verdict: safe
// As many addresses as a pointer may hold are told apart.
extern int __VERIFIER_nondet_int(void);
static int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19;
static int a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39;

int main(void) {
    int *p = &a0;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        p = &a1;
        break;
    case 2:
        p = &a2;
        break;
    case 3:
        p = &a3;
        break;
    case 4:
        p = &a4;
        break;
    case 5:
        p = &a5;
        break;
    case 6:
        p = &a6;
        break;
    case 7:
        p = &a7;
        break;
    case 8:
        p = &a8;
        break;
    case 9:
        p = &a9;
        break;
    case 10:
        p = &a10;
        break;
    case 11:
        p = &a11;
        break;
    case 12:
        p = &a12;
        break;
    case 13:
        p = &a13;
        break;
    case 14:
        p = &a14;
        break;
    case 15:
        p = &a15;
        break;
    case 16:
        p = &a16;
        break;
    case 17:
        p = &a17;
        break;
    case 18:
        p = &a18;
        break;
    case 19:
        p = &a19;
        break;
    case 20:
        p = &a20;
        break;
    case 21:
        p = &a21;
        break;
    case 22:
        p = &a22;
        break;
    case 23:
        p = &a23;
        break;
    case 24:
        p = &a24;
        break;
    case 25:
        p = &a25;
        break;
    case 26:
        p = &a26;
        break;
    case 27:
        p = &a27;
        break;
    case 28:
        p = &a28;
        break;
    case 29:
        p = &a29;
        break;
    case 30:
        p = &a30;
        break;
    case 31:
        p = &a31;
        break;
    case 32:
        p = &a32;
        break;
    case 33:
        p = &a33;
        break;
    case 34:
        p = &a34;
        break;
    case 35:
        p = &a35;
        break;
    case 36:
        p = &a36;
        break;
    case 37:
        p = &a37;
        break;
    case 38:
        p = &a38;
        break;
    case 39:
        p = &a39;
        break;
    }
    *p = 1;
    return 0;
}
