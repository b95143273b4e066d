//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry area --arguments any
struct rectangle {
    int width, height;
};

int area(const struct rectangle *of)
{
    return of->width * of->height; //~ null-deref
}
