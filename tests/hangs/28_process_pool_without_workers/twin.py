import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

signal.alarm(120)


def count_words(text):
    return len(text.split())


def collect_pages(pool, pages):
    counts = [pool.submit(count_words, page) for page in pages]
    return sum(count.result() for count in counts)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        while True:
            collect_pages(pool, ["a page of words"] * 8)
