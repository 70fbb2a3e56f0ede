import os
import signal
import threading
import time

signal.alarm(120)
BATCH_DONE = signal.SIGUSR1


class Bakery:
    def __init__(self):
        self.rung = 0
        self.loaves = []
        signal.signal(BATCH_DONE, self.count_ring)

    def count_ring(self, number, frame):
        self.rung += 1

    def bake(self, count):
        for number in range(count):
            time.sleep(0.02)
            self.loaves.append(number)
        os.kill(os.getpid(), BATCH_DONE)
        self.cool()

    def cool(self):
        time.sleep(1)

    def lay_out(self):
        for _ in range(8):
            time.sleep(0.1)

    def serve(self):
        self.lay_out()
        signal.sigwait({BATCH_DONE})
        return self.loaves.pop()


if __name__ == "__main__":
    bakery = Bakery()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    oven = threading.Thread(target=bakery.bake, args=(20,), name="oven")
    oven.start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {BATCH_DONE})
    bakery.serve()
    oven.join()
