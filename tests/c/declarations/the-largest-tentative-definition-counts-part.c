//@ part of: the-largest-tentative-definition-counts.c
char buffer[16];

void fill(void)
{
    buffer[15] = 1;
}
