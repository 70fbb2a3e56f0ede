import os

import gevent
import gevent.event


class Buoy:
    def __init__(self, number):
        self.number = number
        self.swell = gevent.event.Event()
        self.heard = 0

    def ring(self):
        while True:
            try:
                self.swell.wait()
                self.heard += 1
                gevent.sleep(0.01)
            except BaseException:
                if STUBBORN:
                    continue
                raise


class Harbour:
    def __init__(self):
        self.buoys = [Buoy(number) for number in range(3)]

    def lay_out(self):
        return [gevent.spawn(buoy.ring) for buoy in self.buoys]

    def take_in(self, ringing):
        gevent.killall(ringing)


def keep_watch():
    while True:
        gevent.sleep(0.1)


STUBBORN = True


if __name__ == "__main__":
    gevent.spawn(keep_watch)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    harbour = Harbour()
    while True:
        ringing = harbour.lay_out()
        gevent.sleep(0.05)
        harbour.take_in(ringing)
