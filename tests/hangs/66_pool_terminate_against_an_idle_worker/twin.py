import multiprocessing
import os
import queue
import signal

signal.alarm(120)
END = "end"


def is_match(name):
    return name if name.startswith("b") else None


def read_names(names):
    while (name := names.get()) != END:
        yield name


def find_first(names):
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap(is_match, read_names(names)):
            if found:
                return found


def search(batch):
    names = queue.Queue()
    for name in batch:
        names.put(name)
    names.put(END)
    found = find_first(names)
    return found


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    while True:
        search(["alba", "bruno", "carla"])
