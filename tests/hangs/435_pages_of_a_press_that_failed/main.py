import json
import os
import signal
import tempfile
import threading
from pathlib import Path

from watchfiles import watch

signal.alarm(120)


class Press:
    def __init__(self, folder):
        self.folder = Path(folder)

    def print_pages(self, orders):
        for order in orders:
            pages = json.loads(order)["pages"]
            self.folder.joinpath("job-%d.pdf" % pages).write_text("%PDF" * pages)

    def start(self, orders):
        threading.Thread(target=self.print_pages, args=(orders,), name="press", daemon=True).start()


def collect(folder, wanted):
    found = {path.name for path in Path(folder).iterdir()}
    if len(found) >= wanted:
        return found
    for changes in watch(folder):
        found |= {Path(path).name for _, path in changes}
        if len(found) >= wanted:
            return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="press-") as folder:
        Press(folder).start(['{"pages": 4}', '{"pages": 12', '{"pages": 7}'])
        print("MARK main pid=%d" % os.getpid())
        print(collect(folder, 3))
