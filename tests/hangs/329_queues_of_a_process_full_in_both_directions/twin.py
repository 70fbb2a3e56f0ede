import multiprocessing
import os
import signal
import time

signal.alarm(120)


def count_words(pages, results):
    signal.alarm(120)
    while True:
        time.sleep(0.01)
        results.put(len(pages.get().split()))


def count_all(pages, results, texts):
    for text in texts:
        pages.put(text)
    return [results.get() for _ in texts]


def simulate():
    pages, results = multiprocessing.Queue(4), multiprocessing.Queue(4)
    worker = multiprocessing.Process(target=count_words, args=(pages, results), daemon=True)
    worker.start()
    while True:
        count_all(pages, results, ["to be or not"] * 6)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    simulate()
