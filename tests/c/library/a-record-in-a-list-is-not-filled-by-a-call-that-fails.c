//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>
#include <sys/stat.h>

struct file {
    struct file *next;
    struct stat status;
};

int main(void)
{
    struct file *files = NULL;
    for (int i = 0; i < 2; i++) {
        struct file *file = malloc(sizeof *file);
        if (file == NULL)
            break;
        file->next = files;
        files = file;
        stat("data.txt", &file->status);
    }
    int n_large = 0;
    while (files != NULL) {
        struct file *next = files->next;
        if (files->status.st_size > 100) //~ uninitialised
            n_large++;
        free(files);
        files = next;
    }
    return n_large;
}
