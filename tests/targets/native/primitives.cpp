// One thread that waits for each synchronisation primitive, and one that holds it where it can be
// held. Waiters are named "w NAME", holders "h NAME"; the test knows what belongs to each.
#include <dlfcn.h>
#include <fcntl.h>
#include <future>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static void stay()
{
    for (;;)
        pause();
}

#ifdef SLOW_LIBRARY
__attribute__((constructor)) static void never_ready()
{
    sem_post(*static_cast<sem_t **>(dlsym(RTLD_DEFAULT, "library_entered")));
    stay();
}
#else

extern "C" {
sem_t library_semaphore;
sem_t *library_entered = &library_semaphore;
}

template <typename Play> static pthread_t start(const std::string &name, Play play)
{
    struct Start {
        std::string name;
        Play play;
    };
    auto run = [](void *argument) -> void * {
        auto *start = static_cast<Start *>(argument);
        pthread_setname_np(pthread_self(), start->name.c_str());
        start->play();
        stay();
        return nullptr;
    };
    pthread_t thread;
    pthread_create(&thread, nullptr, +run, new Start{name, play});
    return thread;
}

// A holder that has taken what it takes before this returns, and a waiter for it.
template <typename Take> static pthread_t hold(const std::string &name, Take take)
{
    sem_t taken;
    sem_init(&taken, 0, 0);
    pthread_t thread = start("h " + name, [&taken, take] {
        take();
        sem_post(&taken);
    });
    sem_wait(&taken);
    return thread;
}

template <typename Take> static void contend(const std::string &name, Take take)
{
    hold(name, take);
    start("w " + name, take);
}

static timespec in_an_hour()
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += 3600;
    return now;
}

static pthread_mutex_t *new_mutex(int type, int protocol = PTHREAD_PRIO_NONE,
                                  int robust = PTHREAD_MUTEX_STALLED,
                                  int shared = PTHREAD_PROCESS_PRIVATE)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutexattr_setpshared(&attributes, shared);
    auto *mutex = new pthread_mutex_t;
    pthread_mutex_init(mutex, &attributes);
    return mutex;
}

static void mutexes()
{
    pthread_mutex_t *normal = new_mutex(PTHREAD_MUTEX_NORMAL);
    pthread_mutex_t *recursive = new_mutex(PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t *checked = new_mutex(PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t *adaptive = new_mutex(PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_t *timed = new_mutex(PTHREAD_MUTEX_TIMED_NP);
    pthread_mutex_t *inherit = new_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    pthread_mutex_t *robust =
        new_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_t *shared = new_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE,
                                        PTHREAD_MUTEX_STALLED, PTHREAD_PROCESS_SHARED);
    contend("normal", [=] { pthread_mutex_lock(normal); });
    contend("recursive", [=] { pthread_mutex_lock(recursive); });
    contend("errorcheck", [=] { pthread_mutex_lock(checked); });
    contend("adaptive", [=] { pthread_mutex_lock(adaptive); });
    contend("inherit", [=] { pthread_mutex_lock(inherit); });
    contend("robust", [=] { pthread_mutex_lock(robust); });
    contend("shared", [=] { pthread_mutex_lock(shared); });
    contend("timed", [=] {
        timespec limit = in_an_hour();
        pthread_mutex_timedlock(timed, &limit);
    });
    auto *plain = new std::mutex;
    auto *reentrant = new std::recursive_mutex;
    auto *patient = new std::timed_mutex;
    contend("std mutex", [=] { plain->lock(); });
    contend("std recursive", [=] { reentrant->lock(); });
    hold("std timed", [=] { patient->lock(); });
    start("w std timed", [=] { patient->try_lock_for(std::chrono::hours(1)); });
}

static void rwlocks()
{
    auto *written = new pthread_rwlock_t, *read = new pthread_rwlock_t;
    pthread_rwlock_init(written, nullptr);
    pthread_rwlock_init(read, nullptr);
    hold("rw written", [=] { pthread_rwlock_wrlock(written); });
    start("w rw write", [=] { pthread_rwlock_wrlock(written); });
    hold("rw read", [=] { pthread_rwlock_rdlock(read); });
    start("w rw readers", [=] { pthread_rwlock_wrlock(read); });
    auto *std_written = new std::shared_mutex, *std_read = new std::shared_mutex;
    hold("sm written", [=] { std_written->lock(); });
    start("w sm read", [=] { std_written->lock_shared(); });
    hold("sm read", [=] { std_read->lock_shared(); });
    start("w sm readers", [=] { std_read->lock(); });
    auto *behind = new pthread_rwlock_t;
    pthread_rwlock_init(behind, nullptr);
    hold("rw behind", [=] { pthread_rwlock_wrlock(behind); });
    start("w rw read", [=] { pthread_rwlock_rdlock(behind); });
    pthread_rwlockattr_t writers_first;
    pthread_rwlockattr_init(&writers_first);
    pthread_rwlockattr_setkind_np(&writers_first, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    auto *queue = new pthread_rwlock_t;
    pthread_rwlock_init(queue, &writers_first);
    hold("rw queue", [=] { pthread_rwlock_rdlock(queue); });
    start("w rw first", [=] { pthread_rwlock_wrlock(queue); });
    while (!(__atomic_load_n(&queue->__data.__readers, __ATOMIC_ACQUIRE) & 2)) // a writer waits
        usleep(1000);
    start("w rw second", [=] { pthread_rwlock_wrlock(queue); });
    start("w rw queued", [=] { pthread_rwlock_rdlock(queue); });
}

static void unowned()
{
    auto *mutex = new pthread_mutex_t PTHREAD_MUTEX_INITIALIZER;
    auto *changed = new pthread_cond_t PTHREAD_COND_INITIALIZER;
    auto *semaphore = new sem_t;
    auto *barrier = new pthread_barrier_t;
    auto *promised = new std::promise<int>;
    auto *spin = new std::shared_future<int>(promised->get_future().share());
    sem_init(semaphore, 0, 0);
    pthread_barrier_init(barrier, nullptr, 3);
    start("w condition", [=] {
        pthread_mutex_lock(mutex);
        pthread_cond_wait(changed, mutex);
    });
    start("w timed cond", [=] {
        pthread_mutex_lock(mutex);
        timespec limit = in_an_hour();
        pthread_cond_timedwait(changed, mutex, &limit);
    });
    start("w semaphore", [=] { sem_wait(semaphore); });
    start("w barrier", [=] { pthread_barrier_wait(barrier); });
    start("w future", [=] { spin->wait(); });
}

static void ends_of_threads()
{
    pthread_t joined = hold("joined", [] {});
    start("w join", [=] { pthread_join(joined, nullptr); });
    sem_t started;
    sem_init(&started, 0, 0);
    auto *other = new std::thread([&started] {
        pthread_setname_np(pthread_self(), "h std joined");
        sem_post(&started);
        stay();
    });
    sem_wait(&started);
    start("w std join", [=] { other->join(); });
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t once_entered, guard_entered;

static void initialise()
{
    sem_post(&once_entered);
    stay();
}

struct Slow {
    Slow()
    {
        sem_post(&guard_entered);
        stay();
    }
};

__attribute__((noinline)) static void use_slow()
{
    static Slow slow;
    (void)&slow;
}

static void initialisations()
{
    sem_init(&once_entered, 0, 0);
    sem_init(&guard_entered, 0, 0);
    auto first = [] { pthread_once(&once, initialise); };
    start("h once", first);
    sem_wait(&once_entered);
    start("w once", first);
    start("h guard", [] { use_slow(); });
    sem_wait(&guard_entered);
    start("w guard", [] { use_slow(); });
}

static void library_locks(const char *slow_library)
{
    FILE *stream = fopen("/dev/null", "w");
    hold("stdio", [=] { flockfile(stream); });
    start("w stdio", [=] { fputs("words", stream); });
    sem_init(&library_semaphore, 0, 0);
    start("h dlopen", [=] { dlopen(slow_library, RTLD_NOW); });
    sem_wait(&library_semaphore);
    start("w dlopen", [] { dlopen("libm.so.6", RTLD_NOW); });
}

// Words that look like locks and are none: nothing may be claimed of them.
static int words[96] __attribute__((aligned(64)));

static void wait_for_word(int *word, int value)
{
    *word = value;
    syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

static void lookalikes()
{
    start("w rust", [] { wait_for_word(words, 2); });
    start("w rust tid", [] {
        words[18] = (int)syscall(SYS_gettid);
        wait_for_word(words + 16, 2);
    });
    start("w like mutex", [] {
        words[34] = getpid();
        words[35] = 1;
        wait_for_word(words + 32, 2);
    });
    start("w like guard", [] { wait_for_word(words + 48, 0x10100); });
    start("w like stdio", [] {
        *reinterpret_cast<pthread_t *>(words + 66) = pthread_self();
        words[65] = 1;
        wait_for_word(words + 64, 2);
    });
}

static void once_inside_mutex()
{
    static pthread_once_t outer = PTHREAD_ONCE_INIT;
    static pthread_mutex_t *inner = new_mutex(PTHREAD_MUTEX_NORMAL);
    hold("nested", [] { pthread_mutex_lock(inner); });
    start("w nested", [] { pthread_once(&outer, [] { pthread_mutex_lock(inner); }); });
}

int main(int, char **arguments)
{
    mutexes();
    rwlocks();
    unowned();
    ends_of_threads();
    std::string(arguments[1]) == "nested" ? once_inside_mutex() : initialisations();
    lookalikes();
    library_locks(arguments[2]);
    const char *fifo = getenv("HANGTUI_READY");
    int descriptor = fifo ? open(fifo, O_WRONLY) : 1;
    if (write(descriptor, "ready", 5) != 5)
        return 1;
    stay();
}
#endif
