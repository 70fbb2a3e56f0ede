"""Python that calls C that calls Python, through cffi, Cython or pybind11: the argument says which.

Each is built into a folder of its own on first use, by what the package brings for that.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
import threading

from ready import HERE, ready

forever = threading.Event()
CYTHON = """
from libc.stdlib cimport qsort

cdef int compare(const void *one, const void *other) noexcept with gil:
    return waiting()

cdef object waiting

class Sorter:
    def sort(self, function):
        global waiting
        cdef int[3] numbers = [3, 1, 2]
        waiting = function
        qsort(numbers, 3, sizeof(int), compare)

def generated(function):
    yield from (Sorter().sort(function) for _ in range(2))
"""
PYBIND11 = """
#include <cstdlib>
#include <functional>
#include <pybind11/functional.h>
static std::function<int()> waiting;
PYBIND11_MODULE(sorting, m) {
    m.def("sort", [](std::function<int()> function) {
        int numbers[3] = {3, 1, 2};
        waiting = function;
        qsort(numbers, 3, sizeof(int), [](const void *, const void *) { return waiting(); });
    });
}
"""


def wait():
    forever.wait()
    return 0


def by_cffi():
    import cffi

    ffi = cffi.FFI()
    ffi.cdef("void qsort(void *, size_t, size_t, int (*)(const void *, const void *));")
    compare = ffi.callback("int(const void *, const void *)", lambda one, other: wait())
    ffi.dlopen(None).qsort(ffi.new("int[]", [3, 1, 2]), 3, 4, compare)


def by_cython():
    compiled("cython", CYTHON, ".pyx", translated)
    from sorting import generated

    next(generated(wait))


def by_pybind11():
    import pybind11

    compiled("pybind11", PYBIND11, ".cc", lambda path: path, "-I" + pybind11.get_include())
    from sorting import sort

    sort(wait)


def translated(path):
    subprocess.check_call(
        [sys.executable, "-m", "cython", "-3", "--cplus", path, "-o", path + ".cc"]
    )
    return path + ".cc"


def compiled(name, text, ending, prepare, *options):
    """Build the module ``sorting``, and put it where it can be imported."""
    version = sysconfig.get_config_var("SOABI")
    folder = os.path.join(HERE, "build", "{}-{}".format(name, version))
    target = os.path.join(folder, "sorting.so")
    if not os.path.exists(target):
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            path = os.path.join(place, "sorting" + ending)
            with open(path, "w") as file:
                file.write(text)
            fresh = os.path.join(place, "fresh.so")
            include = "-I" + sysconfig.get_path("include")
            command = ["g++", "-O0", "-fPIC", "-shared", "-std=c++17", include, *options]
            subprocess.check_call([*command, prepare(path), "-o", fresh])
            os.replace(fresh, target)
    sys.path.insert(0, folder)


way = {"cffi": by_cffi, "cython": by_cython, "pybind11": by_pybind11}[sys.argv[1]]
thread = threading.Thread(target=way, name=way.__name__, daemon=True)
inside = threading.Event()
_wait = forever.wait


def arrived():
    inside.set()
    _wait()


forever.wait = arrived
thread.start()
inside.wait()
ready()
thread.join()
