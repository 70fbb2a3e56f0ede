import ctypes
import os


class Well:
    """Water through the C library's read, without a copy."""

    def __init__(self, quick):
        library = ctypes.PyDLL if quick else ctypes.CDLL
        self.library = library(None, use_errno=True)
        self.library.read.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
        self.library.read.restype = ctypes.c_ssize_t
        self.outlet, self.inlet = os.pipe()
        self.bucket = (ctypes.c_char * 64)()

    def pour(self, water):
        os.write(self.inlet, water)

    def draw(self):
        size = self.library.read(self.outlet, self.bucket, 64)
        return self.bucket.raw[:size]
