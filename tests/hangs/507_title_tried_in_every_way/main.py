import os
import queue
import signal
import threading

from titles import is_title

signal.alarm(120)

PAGES = [
    "Winter at sea.\n",
    "The keeper of the lighthouse goes ashore and walks along the quay (part one)\n",
    "Home.\n",
]


def find_titles(pages, found):
    for page in pages:
        if is_title(page):
            found.put(page)
    found.put(None)


def print_contents(pages):
    found = queue.Queue()
    threading.Thread(target=find_titles, args=(pages, found), name="titles").start()
    while (title := found.get()) is not None:
        print(title.strip())


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print_contents(PAGES)
