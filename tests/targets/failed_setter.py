"""A thread that should set an event fails; the next turn of the loop would start another one."""

import threading

from ready import ready

done = threading.Event()


def work():
    first = not done.is_set()
    if first:
        raise SystemExit
    done.set()


def begin():
    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    ready()
    done.wait()


while True:
    begin()
    done.clear()
