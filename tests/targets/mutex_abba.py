"""Two pthread mutexes taken in opposite order inside a C library; the GIL is free."""

import threading

from ready import ready, releasing

driver = releasing()


def lock_both(which):
    driver.cross_mutexes(which)


if __name__ == "__main__":
    threads = [
        threading.Thread(target=lock_both, args=(which,), name="device-%d" % which)
        for which in (0, 1)
    ]
    for thread in threads:
        thread.start()
    ready()
    for thread in threads:
        thread.join()
