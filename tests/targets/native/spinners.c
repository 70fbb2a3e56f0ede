#define _GNU_SOURCE
/* Threads that wait without asking the kernel who has what: at a spinlock, and in OpenMP. */
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_spinlock_t spin;
static omp_lock_t taken;

static void *spin_for_good(void *unused)
{
    pthread_setname_np(pthread_self(), "w spin");
    pthread_spin_lock(&spin);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_create(&thread, NULL, spin_for_good, NULL);
    omp_init_lock(&taken);
    omp_set_lock(&taken);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            pthread_setname_np(pthread_self(), "w omp lock");
            omp_set_lock(&taken);
        } else if (omp_get_thread_num() == 2) {
            pthread_setname_np(pthread_self(), "w omp barrier");
        } else {
            const char *fifo = getenv("HANGTUI_READY");
            int descriptor = fifo ? open(fifo, O_WRONLY) : 1;
            if (write(descriptor, "ready", 5) != 5)
                _exit(1);
        }
    }
    return 0;
}
