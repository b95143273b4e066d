//@ engines: explicit, graph, auto; verdict: unknown
//@ args: -fcommon
//@ with: the-largest-tentative-definition-counts-part.c
// Of several tentative definitions the linker takes the largest; that files do not agree is a gap, and no finding.
char buffer[4];
extern void fill(void);

int main(void)
{
    fill();
    return buffer[3];
}
