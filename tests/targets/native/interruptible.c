/* System calls that sleep, and whether they were ever woken for nothing.
 *
 * wait_in(kind) sleeps in one call, again and again if it returns although nothing happened, and
 * counts that. A stop by a debugger must not be among the reasons. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* They outlive a process that is killed: with a key of their own there is never more than one. */
#define KEY 0x68616e67

static volatile int woken[16];

int woken_for_nothing(int kind) { return woken[kind]; }

static long sleep_in_recv(int pair[2])
{
    struct timeval hour = {3600, 0};
    char byte;
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof hour);
    return recv(pair[0], &byte, 1, 0);
}

static long sleep_in_sigtimedwait(void)
{
    struct timespec hour = {3600, 0};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    return sigtimedwait(&signals, 0, &hour);
}

static long sleep_in_semop(int semaphores)
{
    struct sembuf wait = {0, -1, 0};
    return semop(semaphores, &wait, 1);
}

static long sleep_in_aio(void)
{
    static aio_context_t context;
    struct io_event event;
    if (!context)
        syscall(SYS_io_setup, 1, &context);
    return syscall(SYS_io_getevents, context, 1, 1, &event, 0);
}

static long sleep_in_write(int pipe_end)
{
    static char block[1 << 20];
    return write(pipe_end, block, sizeof block);
}

static long sleep_in_nanosleep(void)
{
    struct timespec hour = {3600, 0};
    return clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, 0);
}

static __attribute__((noinline)) long spin(void)
{
    for (volatile long i = 0;; i++)
        ;
    return 0;
}

void wait_in(int kind)
{
    int pair[2], ends[2], word = 0, epoll = epoll_create1(0);
    struct epoll_event event;
    struct pollfd nothing = {epoll, POLLIN, 0};
    struct { long type; char text[8]; } message;
    int semaphores = semget(KEY, 1, IPC_CREAT | 0600), messages = msgget(KEY, IPC_CREAT | 0600);
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        abort();
    for (;; woken[kind]++) {
        switch (kind) {
        case 0: epoll_wait(epoll, &event, 1, -1); break;
        case 1: sleep_in_recv(pair); break;
        case 2: sleep_in_sigtimedwait(); break;
        case 3: sleep_in_semop(semaphores); break;
        case 4: sleep_in_aio(); break;
        case 5: sleep_in_write(ends[1]); break;
        case 6: sleep_in_nanosleep(); break;
        case 7: poll(&nothing, 1, 3600000); break;
        case 8: syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0); break;
        case 9: msgrcv(messages, &message, 8, 0, 0); break;
        case 10: if (read(ends[0], &message, 1) == 1) break; break;
        case 11: spin(); break;
        case 12: select(0, 0, 0, 0, 0); break;
        }
    }
}
