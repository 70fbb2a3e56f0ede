import multiprocessing as mp
import os
import time


class Boat:
    def __init__(self, spawn):
        self.bell = spawn.Event()
        self.strokes = spawn.Queue()

    def ring(self):
        self.bell.set()
        if not STAYS:
            time.sleep(0.05)
            self.bell.clear()


def row(boat, seat):
    stroke = 0
    while True:
        boat.bell.wait()
        boat.strokes.put((seat, stroke))
        stroke += 1
        time.sleep(0.1)
        if seat == 1 and stroke % 5 == 0:
            time.sleep(0.6)


def steer(boat):
    turn = 0
    while True:
        boat.ring()
        for _ in range(2):
            boat.strokes.get()
        turn += 1
        time.sleep(0.15)


STAYS = True


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    boat = Boat(spawn)
    for seat in range(2):
        spawn.Process(target=row, args=(boat, seat), name="rower-%d" % seat, daemon=True).start()
    time.sleep(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    steer(boat)
