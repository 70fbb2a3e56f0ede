import os
import signal
import time
from multiprocessing import Process

END_LATE_ONES = True
PLACES = 2


class Tokens:
    def __init__(self, count):
        self.read_end, self.write_end = os.pipe()
        os.write(self.write_end, b"+" * count)

    def take(self):
        return os.read(self.read_end, 1)

    def give_back(self, token):
        os.write(self.write_end, token)


class Pottery:
    def __init__(self):
        self.kiln = Tokens(PLACES)
        self.vases = 0

    def fire(self, seconds):
        token = self.kiln.take()
        time.sleep(seconds)
        self.kiln.give_back(token)

    def send_off(self, seconds):
        potter = Process(target=self.fire, args=(seconds,))
        potter.start()
        return potter

    def call_it_a_day(self, potters, patience):
        time.sleep(patience)
        for potter in potters:
            if END_LATE_ONES and potter.is_alive():
                os.kill(potter.pid, signal.SIGTERM)
        for potter in potters:
            potter.join()

    def fire_the_rest(self):
        self.fire(0.05)
        self.vases += 1


def main():
    pottery = Pottery()
    potters = [pottery.send_off(2) for _ in range(PLACES)]
    pottery.call_it_a_day(potters, 1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        pottery.fire_the_rest()


if __name__ == "__main__":
    main()
