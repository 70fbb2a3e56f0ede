"""A program that hands a NULL pointer to C code, and dies of it."""

import ctypes
import threading


def load_header(address):
    header = ctypes.create_string_buffer(16)
    ctypes.memmove(header, address, len(header))
    return header.raw


def parse(path):
    addresses = {"model.bin": 0}
    return load_header(addresses[path])


threading.Thread(target=threading.Event().wait, name="metrics", daemon=True).start()
parse("model.bin")
