/* The outside of a compiled program, played from the list of choices in the environment variable HEAPWISE_OUTSIDE:
 *   r NAME VALUE        the next call of NAME gives this (1 and 0: a pointer, or NULL)
 *   f NAME VALUE        the same, a floating-point number
 *   t TEXT              the text that the line read last says
 *   b CALL OFFSET VALUE a byte (of a number: all of it) that the call with this number gives
 * one record per line. Calls that give bytes are counted from 0, as the analyser counts them. */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

char *__real_getenv(const char *name);

enum { MOST = 400 };
static struct record {
    char kind, name[32], text[32];
    long call, offset, value;
    double number;
    int is_used;
} records[MOST];
static int count = -1;
static long calls;

static void load(void)
{
    if (count >= 0)
        return;
    count = 0;
    const char *plan = __real_getenv("HEAPWISE_OUTSIDE");
    while (plan != NULL && *plan != 0 && count < MOST) {
        struct record *record = &records[count++];
        record->kind = plan[0];
        switch (plan[0]) {
        case 'r': sscanf(plan + 2, "%31s %ld", record->name, &record->value); break;
        case 'f': sscanf(plan + 2, "%31s %lf", record->name, &record->number); break;
        case 't': sscanf(plan + 2, "%31s", record->text); break;
        case 'b': sscanf(plan + 2, "%ld %ld %ld", &record->call, &record->offset, &record->value); break;
        }
        plan = strchr(plan, '\n');
        plan = plan == NULL ? NULL : plan + 1;
    }
}

static struct record *next(const char *name)
{
    load();
    for (int i = 0; i < count; i++)
        if ((records[i].kind == 'r' || records[i].kind == 'f') && !records[i].is_used && !strcmp(records[i].name, name)) {
            records[i].is_used = 1;
            return &records[i];
        }
    return NULL;
}

static long result(const char *name, long otherwise)
{
    struct record *record = next(name);
    return record == NULL ? otherwise : record->value;
}

static int byte_of(long call, long offset, int otherwise)
{
    load();
    for (int i = 0; i < count; i++)
        if (records[i].kind == 'b' && records[i].call == call && records[i].offset == offset)
            return (unsigned char)records[i].value;
    return otherwise;
}

static void fill(unsigned char *to, long length)
{
    long call = calls++;
    for (long i = 0; i < length; i++)
        to[i] = (unsigned char)byte_of(call, i, 'a');
}

/* A text ends at its first NUL, or where nobody looks any more. */
static void text(char *to, long call, long first, long most)
{
    long i = 0, last = -1;
    for (int k = 0; k < count; k++)
        if (records[k].kind == 'b' && records[k].call == call && records[k].value != 0 && records[k].offset > last)
            last = records[k].offset;
    /* What nobody looked at before a byte that is there is there too. */
    while (i < most && byte_of(call, first + i, first + i < last ? 'a' : 0) != 0) {
        to[i] = (char)byte_of(call, first + i, 'a');
        i++;
    }
    to[i] = 0;
}

clock_t __wrap_clock(void) { return result("clock", 1000); }
time_t __wrap_time(time_t *to)
{
    time_t value = result("time", 1000000);
    if (to != NULL)
        *to = value;
    return value;
}
int __wrap_rand(void) { return (int)result("rand", 1); }
long __wrap_random(void) { return result("random", 1); }
double __wrap_drand48(void)
{
    struct record *record = next("drand48");
    return record == NULL ? 0.5 : record->number;
}
int __wrap_getchar(void) { return (int)result("getchar", -1); }
int __wrap_fgetc(FILE *stream)
{
    *(volatile char *)stream;
    return (int)result("fgetc", -1);
}

char *__wrap_getenv(const char *name)
{
    static char value[64];
    static int is_known, is_there;
    if (strncmp(name, "HEAPWISE_", 9) != 0 || !strcmp(name, "HEAPWISE_CHOICES") || !strcmp(name, "HEAPWISE_SEED"))
        return __real_getenv(name);
    if (!is_known) {
        is_known = 1;
        is_there = (int)result("getenv", 0);
        if (is_there)
            text(value, calls++, 0, sizeof value - 1);
    }
    return is_there ? value : NULL;
}

char *__wrap_fgets(char *to, int size, FILE *stream)
{
    (void)stream;
    if (!result("fgets", 0))
        return NULL;
    fill((unsigned char *)to, size - 1);
    to[size - 1] = 0;
    for (int i = 0; i < count; i++)
        if (records[i].kind == 't' && !records[i].is_used) {
            records[i].is_used = 1;
            snprintf(to, (size_t)size, "%s", records[i].text);
            break;
        }
    return to;
}

size_t __wrap_fread(void *to, size_t size, size_t n, FILE *stream)
{
    (void)stream;
    fill(to, (long)(size * n));
    return (size_t)result("fread", (long)n);
}
ssize_t __wrap_read(int fd, void *to, size_t n)
{
    (void)fd;
    fill(to, (long)n);
    return result("read", (long)n);
}
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags)
{
    (void)fd, (void)flags;
    fill(to, (long)n);
    return result("recv", (long)n);
}
int __wrap_socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return (int)result("socket", 3);
}

/* Formats of %d alone. */
int __wrap_scanf(const char *format, ...)
{
    int n = (int)result("scanf", -1), done = 0;
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; (at = strchr(at, '%')) != NULL && done < n; at++) {
        at++;
        int is_skipped = *at == '*', n_long = 0, n_short = 0;
        at += is_skipped;
        long width = strtol(at, (char **)&at, 10);
        for (; strchr("hljzt", *at) != NULL && *at != '\0'; at++) {
            n_short += *at == 'h';
            n_long += *at != 'h';
        }
        char letter = *at;
        if (letter == '[')
            at = strchr(at + 2, ']');
        if (letter == '%' || is_skipped)
            continue;
        long call = calls++;
        void *to = va_arg(arguments, void *);
        long value = 1;
        for (int i = 0; i < count; i++)
            if (records[i].kind == 'b' && records[i].call == call && records[i].offset == 0)
                value = records[i].value;
        if (letter == 's' || letter == '[')
            text(to, call, 0, width == 0 ? 4096 : width);
        else if (letter == 'c' || n_short == 2)
            *(char *)to = (char)value;
        else if (n_short == 1)
            *(short *)to = (short)value;
        else if (n_long > 0)
            *(long *)to = value;
        else
            *(int *)to = (int)value;
        done += letter != 'n';
    }
    va_end(arguments);
    return n;
}

FILE *__wrap_fopen(const char *name, const char *mode)
{
    (void)name, (void)mode;
    return result("fopen", 0) ? (calls++, stdin) : NULL;
}
DIR *__wrap_opendir(const char *name)
{
    static char directory;
    (void)name;
    return result("opendir", 0) ? (calls++, (DIR *)&directory) : NULL;
}
struct dirent *__wrap_readdir(DIR *directory)
{
    static struct dirent entry;
    (void)directory;
    if (!result("readdir", 0))
        return NULL;
    text(entry.d_name, calls++, (long)((char *)entry.d_name - (char *)&entry), sizeof entry.d_name - 1);
    return &entry;
}
int __wrap_closedir(DIR *directory)
{
    (void)directory;
    return 0;
}
