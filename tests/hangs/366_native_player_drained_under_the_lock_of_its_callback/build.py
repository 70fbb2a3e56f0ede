"""Builds the player, which plays blocks in a thread of its own and tells of each that is done."""

import importlib
import os
import sys

import cffi

CODE = """
#include <pthread.h>
#include <unistd.h>
typedef struct { pthread_mutex_t lock; pthread_cond_t change; int waiting, started; } player;
static player it = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static void block_done(int left);
static void *play(void *unused) {
    for (;;) {
        pthread_mutex_lock(&it.lock);
        while (it.waiting == 0) pthread_cond_wait(&it.change, &it.lock);
        int left = it.waiting - 1;
        pthread_mutex_unlock(&it.lock);
        usleep(20000);
        block_done(left);
        pthread_mutex_lock(&it.lock);
        it.waiting--;
        pthread_cond_broadcast(&it.change);
        pthread_mutex_unlock(&it.lock);
    }
    return unused;
}
void player_add(int blocks) {
    pthread_t thread;
    pthread_mutex_lock(&it.lock);
    it.waiting += blocks;
    if (!it.started++) pthread_create(&thread, 0, play, 0);
    pthread_cond_broadcast(&it.change);
    pthread_mutex_unlock(&it.lock);
}
void player_drain(void) {
    pthread_mutex_lock(&it.lock);
    while (it.waiting) pthread_cond_wait(&it.change, &it.lock);
    pthread_mutex_unlock(&it.lock);
}
"""


def build_player(folder):
    builder = cffi.FFI()
    builder.cdef("void player_add(int); void player_drain(void);")
    builder.cdef('extern "Python" void block_done(int left);')
    builder.set_source("_player", CODE, libraries=["pthread"])
    os.makedirs(folder, exist_ok=True)
    builder.compile(tmpdir=folder)
    sys.path.insert(0, folder)
    return importlib.import_module("_player")
