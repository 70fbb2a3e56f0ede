"""semaphore_barrier.py: four parties meet in a barrier made of semaphores; one comes later."""

import threading
import time

from ready import ready

HOUR_S = 3600


class Turnstile:
    def __init__(self, size):
        self.size, self.count, self.mutex = size, 0, threading.Lock()
        self.through = threading.Semaphore(0)

    def leave(self):
        with self.mutex:
            self.count += 1
            if self.count == self.size:
                for _ in range(self.size):
                    self.through.release()
        self.through.acquire()


def main():
    turnstile = Turnstile(4)

    def party(late):
        if late:
            time.sleep(HOUR_S)
        turnstile.leave()

    parties = [threading.Thread(target=party, args=(number == 2,)) for number in range(4)]
    for one in parties:
        one.start()
    while turnstile.count < 3:
        time.sleep(0.001)
    ready()
    parties[0].join()


main()
