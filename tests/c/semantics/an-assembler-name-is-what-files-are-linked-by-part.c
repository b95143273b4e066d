static int value;

int *something(void) {
    return &value;
}

int *nothing(void) {
    return 0;
}
