/* The native half of the targets: pthread locks, taken and waited for where a test wants it.
 *
 * Every meeting point is a semaphore or a lock; nothing here waits for time to pass.
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

static pthread_rwlock_t context_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t first_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t write_locked, call_back;
static pthread_barrier_t both_locked;

__attribute__((constructor)) static void prepare(void)
{
    sem_init(&write_locked, 0, 0);
    sem_init(&call_back, 0, 0);
    pthread_barrier_init(&both_locked, NULL, 2);
}

/* Hold the rwlock to write and call back into the program, as a driver does that sizes a kernel. */
int occupancy(int (*size_of)(int))
{
    pthread_rwlock_wrlock(&context_lock);
    sem_post(&write_locked);
    sem_wait(&call_back);
    int result = size_of(32);
    pthread_rwlock_unlock(&context_lock);
    return result;
}

/* Called with the GIL: once the other thread holds the rwlock, let it go on and wait for it. */
int copy_memory(const char *fifo_message, int fifo)
{
    sem_wait(&write_locked);
    sem_post(&call_back);
    if (fifo >= 0 && write(fifo, fifo_message, strlen(fifo_message)) < 0)
        return -1;
    if (fifo >= 0)
        close(fifo);
    pthread_rwlock_wrlock(&context_lock);
    pthread_rwlock_unlock(&context_lock);
    return 0;
}

/* Two threads call this with 0 and 1: each takes one mutex, then wants the other's. */
void cross_mutexes(int which)
{
    pthread_mutex_t *mine = which ? &second_mutex : &first_mutex;
    pthread_mutex_t *other = which ? &first_mutex : &second_mutex;
    pthread_mutex_lock(mine);
    pthread_barrier_wait(&both_locked);
    pthread_mutex_lock(other);
}

/* Block in read(2) for as long as nobody writes. */
int read_pipe(int fd)
{
    char byte;
    return (int)read(fd, &byte, 1);
}

static void *sleep_for_good(void *unused)
{
    (void)unused;
    for (;;)
        pause();
}

/* Wait for the end of a thread that does not end. */
void join_sleeper(void)
{
    pthread_t sleeper;
    pthread_create(&sleeper, NULL, sleep_for_good, NULL);
    pthread_join(sleeper, NULL);
}

/* Spins until somebody changes *lock, which nobody does: a spin lock that was not given back. */
int spin_lock(const volatile int *lock)
{
    while (*lock)
        ;
    return 0;
}
