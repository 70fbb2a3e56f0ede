"""Waits for a stream with the GIL, in a stand-in of NVIDIA's driver; the stream calls back."""

import ctypes
import os
import subprocess
import tempfile

from ready import ready

SOURCE = """
#include <pthread.h>
#include <unistd.h>
static volatile int done;
static void *stream(void *function) { ((void (*)(void *))function)(0); done = 1; return 0; }
int cuLaunchHostFunc(void *on, void *function, void *data)
{
    pthread_t thread;
    return pthread_create(&thread, 0, stream, function);
}
int cuStreamSynchronize(void *on) { while (!done) usleep(1000); return 0; }
"""


def driver(folder):
    path = os.path.join(folder, "libcuda.so.1")
    command = ["gcc", "-O1", "-shared", "-fPIC", "-pthread", "-x", "c", "-", "-o", path]
    subprocess.run(command, input=SOURCE.encode(), check=True)
    return ctypes.PyDLL(path)


def log_loss(data):
    print("logged")


def train(cuda, logged):
    cuda.cuLaunchHostFunc(None, logged, None)
    ready()
    cuda.cuStreamSynchronize(None)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        train(driver(folder), ctypes.CFUNCTYPE(None, ctypes.c_void_p)(log_loss))
