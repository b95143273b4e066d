//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The address comes back in a record, and the caller hands it on.
struct handle {
    int *counter;
};

static struct handle open_handle(void)
{
    int counter = 0;
    struct handle handle = { &counter };
    return handle;
}

static void count(struct handle *handle)
{
    *handle->counter = 1; //~ use-after-free
}

int main(void)
{
    struct handle handle = open_handle();
    count(&handle);
    return 0;
}
