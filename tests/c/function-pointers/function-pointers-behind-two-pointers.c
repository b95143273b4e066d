//@ engines: explicit; verdict: safe
static int zero(void) { return 0; }
static int one(void) { return 1; }

typedef int (*function)(void);

static void set(function **where, function *what) { *where = what; }

int main(void)
{
    function functions[2] = {one, zero};
    function *cursor = functions;
    function **handle = &cursor;
    set(handle, *handle + 1);
    **handle = functions[1];
    return (**handle)();
}
