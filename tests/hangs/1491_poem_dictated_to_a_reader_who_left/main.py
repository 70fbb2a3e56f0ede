import os
import threading
import time

from scribe.bridge import Bridge, LoopThread
from scribe.poems import Poet

SIZE = 8


class Visitor(threading.Thread):
    def __init__(self, number, bridge, poet, patience):
        super().__init__(name="visitor-%d" % number, daemon=True)
        self.number = number
        self.bridge = bridge
        self.poet = poet
        self.patience = patience
        self.heard = 0

    def run(self):
        for line in self.bridge.stream(self.poet.compose("ode %d" % self.number)):
            self.heard += len(line)
            self.patience -= 1
            if not self.patience:
                break


class Statistics(threading.Thread):
    def __init__(self, service, poet):
        super().__init__(name="statistics", daemon=True)
        self.service = service
        self.poet = poet
        self.seen = []

    def run(self):
        while True:
            self.seen = [*self.seen, self.service.submit(self.poet.count()).result()][-10:]
            time.sleep(0.1)


def main():
    service = LoopThread()
    service.start()
    poet = Poet(lines=40)
    bridge = Bridge(service, SIZE)
    Statistics(service, poet).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        visitors = [Visitor(number + n, bridge, poet, patience=10 + 20 * n) for n in range(3)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join()
        number += 3
        time.sleep(0.05)


if __name__ == "__main__":
    main()
