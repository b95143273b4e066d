//@ engines: explicit, auto; verdict: safe
//@ args: --entry area
struct rectangle {
    int width, height;
};

int area(const struct rectangle *of)
{
    return of->width * of->height;
}
