import os
import queue
import signal

import sh

signal.alarm(120)


def sort_names(names):
    rows = queue.Queue()
    for name in names:
        rows.put(name + "\n")
    return sh.sort(_in=rows)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    sort_names(["pear", "apple"])
