import os
import signal

from huey import MemoryHuey

signal.alarm(120)
huey = MemoryHuey("kitchen")


@huey.task()
def beat_eggs(count):
    return count * 2


@huey.task()
def bake_cake(eggs):
    foam = beat_eggs(eggs)
    return foam.get(blocking=True, backoff=1, max_delay=0.2)


def order_cake():
    cake = bake_cake(3)
    return cake.get(blocking=True, backoff=1, max_delay=0.2)


if __name__ == "__main__":
    consumer = huey.create_consumer(workers=1, periodic=False)
    consumer.start()
    print("MARK main pid=%d" % os.getpid())
    order_cake()
