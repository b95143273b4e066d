//@ engines: explicit, overlay; verdict: safe
//@ engines: refine; verdict: clean
struct pair { int a, b; };
int main(void)
{
    struct pair s = { 1, 1 };
    int *q = 0;
    __asm__("movl $0, %0" : "=m"(s.a));
    return s.b == 0 ? *q : 0;
}
