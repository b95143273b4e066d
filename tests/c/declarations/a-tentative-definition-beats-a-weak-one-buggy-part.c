//@ part of: a-tentative-definition-beats-a-weak-one-buggy.c
int *shared;
