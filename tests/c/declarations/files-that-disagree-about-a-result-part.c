//@ part of: files-that-disagree-about-a-result.c
long count(long n) { return n + (1L << 40); }
