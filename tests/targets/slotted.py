"""Two threads want each other's locks, which lie in __slots__, of the class and of its base."""

import threading

from ready import ready


class Shelf:
    __slots__ = ("key",)

    def __init__(self):
        self.key = threading.Lock()


class Cabinet(Shelf):
    __slots__ = ("bolt",)

    def __init__(self):
        super().__init__()
        self.bolt = threading.Lock()


def tidy(cabinet, met):
    with cabinet.key:
        met.wait()
        with cabinet.bolt:
            pass


def dust(cabinet, met):
    with cabinet.bolt:
        met.wait()
        with cabinet.key:
            pass


if __name__ == "__main__":
    cabinet, met = Cabinet(), threading.Barrier(2)
    for work in (tidy, dust):
        threading.Thread(target=work, args=(cabinet, met), name=work.__name__).start()
    ready()
