import os
import signal
import time

from huey import MemoryHuey

signal.alarm(120)
huey = MemoryHuey("post")
sent = []


@huey.task()
def send_letter(name):
    sent.append(name)
    return len(name)


def post_letters(names):
    results = [send_letter(name) for name in names]
    return [result.get(blocking=True, backoff=1, max_delay=0.2) for result in results]


if __name__ == "__main__":
    consumer = huey.create_consumer(workers=1, periodic=False)
    consumer.start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        post_letters(["anna", "ben"])
        time.sleep(0.05)
