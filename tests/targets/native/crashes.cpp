// Ways to die in native code, called by ctypes. No optimisation may take them away.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

struct Layer {
    char name[24];
    double *weights;
};

struct Quota : std::runtime_error {
    using std::runtime_error::runtime_error;
};

static volatile long sink;

extern "C" {

void read_null() { sink = *reinterpret_cast<volatile long *>(0); }

void write_member(Layer *layer) { layer->weights = nullptr; }

long read_at(volatile long *address) { return *address; }

void write_constant() { *const_cast<volatile char *>("constant") = 'C'; }

long recurse(long depth) {
    volatile char frame[512];
    frame[0] = static_cast<char>(depth);
    return recurse(depth + 1) + frame[0];
}

void smash(const char *text) {
    char buffer[16];
    strcpy(buffer, text);
    sink = buffer[0];
}

void free_twice() {
    void *block = malloc(40);
    free(block);
    void *volatile again = block;
    free(again);
}

void overflow() {
    char *first = static_cast<char *>(malloc(1500));
    char *second = static_cast<char *>(malloc(1500));
    volatile size_t length = 1600;
    memset(first, 'A', length);
    free(second);
    free(first);
}

long divide(long number, long by) {
    volatile long divisor = by;
    return number / divisor;
}

void illegal() { __builtin_trap(); }

void call(void (*function)()) {
    function();
    sink = 1;
}

void throw_error() { throw Quota("quota of 3 files is used up"); }

void throw_number() { throw 42; }

void check() { assert(sink == 12345); }

typedef void *(*NewList)(long);

void *use_python(NewList new_list) {
    void *list = new_list(3);
    sink = 2;
    return list;
}
}
