//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry area
struct rectangle {
    int width, height;
};

int area(const struct rectangle *of)
{
    int width = of ? of->width : 0;
    return width * of->height; //~ null-deref
}
