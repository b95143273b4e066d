//@ part of: an-array-is-shorter-than-another-file-says.c
int table[2];
