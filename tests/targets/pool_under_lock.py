"""A pool's results are awaited inside a lock that its workers need."""

import multiprocessing

from ready import ready


def resize(number):
    with LOCK:
        return number * 2


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    LOCK = multiprocessing.Lock()
    with multiprocessing.Pool(2) as pool, LOCK:
        results = pool.map_async(resize, [1, 2, 3])
        ready()
        results.get()
