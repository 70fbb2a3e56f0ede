import ctypes
import os
from concurrent.futures import ThreadPoolExecutor


class Library(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]


VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p)
libc = ctypes.CDLL(None)
checkers = ThreadPoolExecutor(2, thread_name_prefix="checker")


def check_codec(path):
    import _codecs_jp

    return path, os.path.getsize(path), _codecs_jp.__name__


class Inventory:
    def __init__(self):
        self.rows = []

    def visit(self, library, size, data):
        path = library.contents.name.decode()
        if os.path.isabs(path) and os.path.exists(path):
            self.rows.append(checkers.submit(check_codec, path).result())
        return 0

    def take(self):
        libc.dl_iterate_phdr(VISIT(self.visit), None)
        return self.rows
