"""Dies in one of many ways in the thread ``crasher``, while other threads wait.

crashes.py KIND
"""

import ctypes
import faulthandler
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import threading

import ready


def library():
    return ctypes.CDLL(build())


def build():
    source = os.path.join(ready.HERE, "native", "crashes.cpp")
    folder = os.environ.get("HANGTUI_TARGET_BUILD", os.path.join(ready.HERE, "build"))
    target = os.path.join(folder, "libcrashes.so")
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
        os.makedirs(folder, exist_ok=True)
        fresh = "%s.%d" % (target, os.getpid())
        command = ["g++", "-O0", "-g", "-fPIC", "-shared", "-fstack-protector-all", "-o", fresh]
        subprocess.check_call([*command, source])
        os.replace(fresh, target)
    return target


def native(name, *arguments):
    function = getattr(library(), name)
    function(*arguments)  # the native call


def bus_error():
    with tempfile.TemporaryFile() as file:
        file.truncate(8192)
        with mmap.mmap(file.fileno(), 8192) as mapped:
            file.truncate(0)
            mapped[5000]  # behind the end


def deep(number):
    return deep(number + 1) + 1


def python_recursion():
    sys.setrecursionlimit(10**9)
    native_deep = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int)

    @native_deep
    def down(number):
        return down(number + 1) + 1  # through C each time

    down(0)


def without_gil():
    address = ctypes.cast(ctypes.pythonapi.PyList_New, ctypes.c_void_p).value
    library().use_python(ctypes.c_void_p(address))


def too_few_references():
    for _ in range(10**7):  # up to 3.11, where None can be freed
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(None))


def freed_object():
    things = [bytes(1 << 23)]  # so large that its memory goes with it
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(things[0]))
    things.clear()  # the interpreter looks for it


def no_memory():
    import resource

    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    library()
    with open("/proc/self/statm") as file:
        limit = int(file.read().split()[0]) * 4096 + (256 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    native("write_member", libc.malloc(4 << 30))


KINDS = {
    "null": lambda: native("read_null"),
    "member": lambda: native("write_member", None),
    "wild": lambda: native("read_at", ctypes.c_void_p(0x123456789000)),
    "impossible": lambda: native("read_at", ctypes.c_void_p(0x1234567812345678)),
    "freed": lambda: native("read_at", ctypes.c_void_p(0xDDDDDDDDDDDDDDDD)),
    "text": lambda: native("read_at", ctypes.c_void_p(int.from_bytes(b"filename", "little"))),
    "constant": lambda: native("write_constant"),
    "recursion": lambda: native("recurse", 0),
    "python_recursion": python_recursion,
    "smash": lambda: native("smash", b"much too long for that buffer " * 4),
    "double_free": lambda: native("free_twice"),
    "overflow": lambda: native("overflow"),
    "division": lambda: native("divide", 1, 0),
    "illegal": lambda: native("illegal"),
    "null_call": lambda: native("call", None),
    "wild_call": lambda: native("call", ctypes.c_void_p(0x123456789000)),
    "exception": lambda: native("throw_error"),
    "number": lambda: native("throw_number"),
    "assertion": lambda: native("check"),
    "abort": os.abort,
    "bus": bus_error,
    "without_gil": without_gil,
    "too_few_references": too_few_references,
    "freed_object": freed_object,
    "string_at": lambda: ctypes.string_at(0),
    "no_memory": no_memory,
}


def crash(kind):
    KINDS[kind]()


def main(kind):
    if kind.startswith("handled_"):
        faulthandler.enable()
        kind = kind[len("handled_") :]
    over = threading.Event()
    started = threading.Barrier(4)

    def wait():
        started.wait()
        over.wait()

    for number in range(3):
        threading.Thread(target=wait, name="worker-%d" % number, daemon=True).start()
    started.wait()
    if kind == "python_recursion":  # from 3.12 on another limit comes before the usual size
        threading.stack_size(256 << 10)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    threading.Thread(target=crash, args=(kind,), name="crasher").start()


if __name__ == "__main__":
    main(sys.argv[1])
