/* Stacks that are hard to unwind, one for each thread. Plain C: also for musl and static programs. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int never[2];
static volatile int sink;

KEEP static void sleep_in_read(void)
{
    char byte;
    sink += read(never[0], &byte, 1);
}

static int compare(const void *left, const void *right)
{
    sleep_in_read();
    return *(const int *)left - *(const int *)right;
}

KEEP static void *in_callback(void *unused)
{
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    return unused;
}

KEEP static void on_signal(int number)
{
    sink += number;
    sleep_in_read();
}

KEEP static void *in_signal(void *alternate)
{
    if (alternate) {
        stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
        sigaltstack(&stack, 0);
    }
    pthread_kill(pthread_self(), alternate ? SIGUSR2 : SIGUSR1);
    return alternate;
}

KEEP static int recurse(int depth)
{
    char *room = alloca(16 + depth);
    room[0] = (char)depth;
    if (depth == 0)
        sleep_in_read();
    else
        sink += recurse(depth - 1);
    return room[0] + sink;
}

KEEP static void *in_recursion(void *unused)
{
    recurse(50);
    return unused;
}

KEEP static void *in_mutex(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

KEEP static void *in_clock(void *unused)
{
    struct timespec now;
    for (;;)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return unused;
}

int main(int count, char **words)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal}, aside = {.sa_handler = on_signal};
    aside.sa_flags = SA_ONSTACK;
    if (pipe(never))
        return 1;
    alarm(600);
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGUSR2, &aside, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, in_callback, 0);
    pthread_create(&thread, 0, in_signal, 0);
    pthread_create(&thread, 0, in_signal, &thread);
    pthread_create(&thread, 0, in_recursion, 0);
    pthread_create(&thread, 0, in_mutex, 0);
    if (count > 1 && !strcmp(words[1], "clock"))
        pthread_create(&thread, 0, in_clock, 0);
    puts("ready");
    fflush(stdout);
    sleep_in_read();
    return 0;
}
