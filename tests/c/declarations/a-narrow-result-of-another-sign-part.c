//@ part of: a-narrow-result-of-another-sign.c
unsigned char level(void) { return 200; }
