import os
import signal

import cachebox

signal.alarm(120)


class Audit:
    def __init__(self):
        self.lines = []
        self.writing = False

    def note(self, goods):
        if self.writing:
            return
        self.writing = True
        self.lines.append("%s costs %.2f" % (goods, price(goods)))
        self.writing = False


audit = Audit()


@cachebox.cached(cachebox.TTLCache(100, 60))
def price(goods):
    audit.note(goods)
    return 4.2 + len(goods)


def print_list(shelf):
    for goods in shelf:
        print(goods, price(goods))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print_list(["rye", "oat"])
