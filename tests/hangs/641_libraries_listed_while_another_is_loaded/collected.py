import os
from concurrent.futures import ThreadPoolExecutor

from libraries import VISIT, check_codec, libc

checkers = ThreadPoolExecutor(2, thread_name_prefix="checker")


class Inventory:
    def __init__(self):
        self.paths = []

    def visit(self, library, size, data):
        path = library.contents.name.decode()
        if os.path.isabs(path) and os.path.exists(path):
            self.paths.append(path)
        return 0

    def take(self):
        self.paths.clear()
        libc.dl_iterate_phdr(VISIT(self.visit), None)
        return [checkers.submit(check_codec, path).result() for path in self.paths]
