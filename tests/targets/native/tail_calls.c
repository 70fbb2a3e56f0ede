/* Waits in functions with a frame pointer that others jump into, as those of glibc 2.39 in Ubuntu
   24.04 do for its semaphores. */

#include <stdio.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

OWN static int waits(volatile int *seen)
{
    char room[*seen + 1]; /* its size is known by the frame pointer alone */
    room[0] = (char)pause();
    return room[0] + *seen;
}

OWN static int goes_over(volatile int *seen) { return waits(seen); }

OWN static int goes_over_twice(volatile int *seen) { return goes_over(seen); }

OWN static int calls(volatile int *seen) { return goes_over_twice(seen) + 1; }

int main(void)
{
    volatile int seen = 40;
    puts("ready");
    fflush(stdout);
    return calls(&seen);
}
