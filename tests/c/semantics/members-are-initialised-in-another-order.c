//@ engines: explicit, overlay; verdict: safe
struct inner {
    int first, second;
};

struct outer {
    struct inner inner;
    int *at;
    char name[4];
};

static int value;
static struct outer stays = {.at = &value, .name = "abc", .inner = {.second = 2, .first = 1}};

int main(void) {
    struct outer goes = {.name = "x", .inner = {1, 2}, .at = stays.at, .at = &value};
    return *goes.at + *stays.at;
}
