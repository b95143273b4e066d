//@ engines: explicit; verdict: safe
// Short names are stored in the node itself, long ones on the heap; destroy frees both.
#include <stdlib.h>
#include <string.h>

struct symbol {
    struct symbol *next;
    char *name;
    char inline_name[8];
};

static struct symbol *intern(struct symbol *table, const char *name)
{
    struct symbol *symbol = malloc(sizeof *symbol);
    if (!symbol)
        return table;
    if (strlen(name) < sizeof symbol->inline_name) {
        strcpy(symbol->inline_name, name);
        symbol->name = symbol->inline_name;
    } else {
        symbol->name = strdup(name);
    }
    symbol->next = table;
    return symbol;
}

static void destroy(struct symbol *table)
{
    while (table) {
        struct symbol *next = table->next;
        if (table->name != table->inline_name)
            free(table->name);
        free(table);
        table = next;
    }
}

int main(void)
{
    struct symbol *table = NULL;
    table = intern(table, "internationalisation");
    table = intern(table, "x");
    destroy(table);
    return 0;
}
