/* A stand-in of NVIDIA's driver with one stream, whose work is done in order by one thread: enough
   of it for tests/targets/gpu. As the real one, it polls while it waits, with the time in sight of
   its callers and what it waits for two functions above, and calls host functions back in a thread
   of its own. */

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone)) static

typedef void (*host_function)(void *);
struct work { host_function function; void *data; struct work *next; };
struct marker { long target; struct timespec begun, now; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct work *first, **last = &first;
static volatile long submitted, completed;
static unsigned words[1024];

static void never(void *data)
{
    (void)data;
    for (;;) pause();
}

static void *stream_thread(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first) pthread_cond_wait(&more, &lock);
        struct work *one = first;
        first = one->next;
        if (!first) last = &first;
        pthread_mutex_unlock(&lock);
        one->function(one->data);
        free(one);
        completed++;
    }
    return 0;
}

static int submit(host_function function, void *data)
{
    struct work *one = malloc(sizeof *one);
    *one = (struct work){function, data, 0};
    pthread_mutex_lock(&lock);
    *last = one;
    last = &one->next;
    submitted++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return 0;
}

OWN int ask(struct marker *marker)
{
    clock_gettime(CLOCK_MONOTONIC, &marker->now);
    return completed >= marker->target;
}

OWN int poll_marker(struct marker *marker)
{
    while (!ask(marker)) continue;
    return (int)marker->target;
}

OWN int wait_marker(struct marker *marker)
{
    clock_gettime(CLOCK_MONOTONIC, &marker->begun);
    return poll_marker(marker) & 0;
}

OWN int wait_all(long target)
{
    struct marker marker = {target, {0, 0}, {0, 0}};
    return wait_marker(&marker) + (int)(marker.now.tv_sec & 0);
}

int cuInit(unsigned flags)
{
    pthread_t thread;
    return (int)flags + pthread_create(&thread, 0, stream_thread, 0);
}
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = words + device; return 0; }
int cuCtxSetCurrent(void *context) { return context == 0; }
int cuStreamCreate(void **stream, unsigned flags) { *stream = words + flags; return 0; }
int cuMemAlloc_v2(void **found, size_t bytes) { *found = words; return bytes > sizeof words; }
int cuMemsetD32_v2(void *where, unsigned value, size_t count)
{
    return where == 0 || value || count > 1024;
}
int cuModuleLoadData(void **module, const void *image) { *module = (void *)image; return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = module;
    return name == 0;
}
int cuLaunchKernel(void *function) { return submit(never, function); }
int cuStreamWaitValue32_v2(void *stream, void *where) { (void)where; return submit(never, stream); }
int cuLaunchHostFunc(void *stream, host_function function, void *data)
{
    (void)stream;
    return submit(function, data);
}
int cuCtxSynchronize(void) { return wait_all(submitted) + 0; }
int cuStreamSynchronize(void *stream) { return wait_all(submitted) + (stream == 0); }
