/* Waits, and tells a debugger to look elsewhere: a name for all libraries, an ELF file in memory.

   leading_elsewhere NAME|- [ELF]; with DAMAGED_VDSO it also puts its own in the place of the kernel's library. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

struct entry {
    struct entry *next, *prev;
    const char *address;
    uint64_t size;
};
struct {
    uint32_t version, action;
    struct entry *relevant, *first;
} __jit_debug_descriptor = {1, 1, 0, 0};
static struct entry only;

void __attribute__((noinline)) __jit_debug_register_code(void) { __asm__ volatile(""); }

int __attribute__((noinline)) inner(int depth) {
    char local[64];
    snprintf(local, sizeof local, "%d", depth);
    puts("ready");
    fflush(stdout);
    pause();
    return local[0];
}

int __attribute__((noinline)) outer(int depth) { return inner(depth + 1) + 1; }

int main(int argc, char **argv) {
    static char file[1 << 20];
    if (argv[1][0] == '/')
        for (struct link_map *map = _r_debug.r_map; map; map = map->l_next)
            if (map->l_name[0]) map->l_name = argv[1];
    if (argc > 2) {
        FILE *elf = fopen(argv[2], "rb");
        only.size = fread(file, 1, sizeof file, elf);
        only.address = file;
        __jit_debug_descriptor.relevant = __jit_debug_descriptor.first = &only;
        __jit_debug_register_code();
    }
    if (getenv("DAMAGED_VDSO")) {
        char *vdso = (char *)getauxval(AT_SYSINFO_EHDR);
        memcpy(file, vdso, 8192);
        if (mmap(vdso, 8192, 7, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == vdso) {
            memcpy(vdso, file, 8192);
            memset(vdso + 64, 0xff, 512);
        }
    }
    return outer(3);
}
