/* A recursion as deep as its argument says. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int sink;

__attribute__((noinline, noclone)) static void dig(long depth)
{
    if (depth > 0) {
        dig(depth - 1);
    } else {
        puts("ready");
        fflush(stdout);
        alarm(600);
        pause();
    }
    sink++;
}

int main(int count, char **words)
{
    if (count < 2)
        return 1;
    dig(atol(words[1]));
    return 0;
}
