import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor

import lmdb

signal.alarm(120)


def count_word(env, word):
    with env.begin(write=True) as entry:
        entry.put(word, b"%d" % (int(entry.get(word, b"0")) + 1))


def save_page(env, workers, page, text):
    with env.begin(write=True) as entry:
        entry.put(b"text:" + page, text)
        for counted in [workers.submit(count_word, env, word) for word in text.split()]:
            counted.result()


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="pages-")
    env = lmdb.open(folder)
    workers = ThreadPoolExecutor(2, thread_name_prefix="indexer")
    print("MARK main pid=%d" % os.getpid())
    save_page(env, workers, b"index", b"welcome to the shop")
