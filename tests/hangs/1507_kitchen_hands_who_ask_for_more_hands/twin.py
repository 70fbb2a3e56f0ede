import os

os.environ.setdefault("EVENTLET_NO_GREENDNS", "yes")
import eventlet

from kitchen.dishes import Kitchen, Waiter

APART = True


def clock():
    minutes = 0
    while True:
        minutes += 1
        eventlet.sleep(0.2)


def main():
    kitchen = Kitchen(6, APART)
    waiter = Waiter(kitchen)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    eventlet.spawn(clock)
    eventlet.spawn(waiter.take)
    eventlet.spawn(waiter.bring).wait()


if __name__ == "__main__":
    main()
