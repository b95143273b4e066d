//@ part of: result-of-a-void-function-in-another-file.c
void run(void)
{
}
