"""A C library joins a thread that does not end; the GIL is free."""

import threading

from ready import ready, releasing

driver = releasing()


def drain():
    driver.join_sleeper()


if __name__ == "__main__":
    joiner = threading.Thread(target=drain, name="joiner")
    joiner.start()
    ready()
    joiner.join()
