"""One waits for an item of a queue between interpreters (3.14)."""

import threading
from concurrent import interpreters

from ready import ready


def consume(items):
    return items.get()


if __name__ == "__main__":
    items = interpreters.create_queue()
    threading.Timer(0.2, ready).start()
    consumer = threading.Thread(target=consume, args=(items,), name="consumer")
    consumer.start()
    consumer.join()
