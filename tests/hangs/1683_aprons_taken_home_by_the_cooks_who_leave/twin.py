import multiprocessing as mp
import os
import time

APRON = None


def dress(aprons):
    global APRON
    APRON = aprons.get()
    if LENT:
        aprons.put(APRON)


def cook(dish):
    time.sleep(0.02)
    return dish, APRON


class Canteen:
    def __init__(self, count):
        spawn = mp.get_context("spawn")
        self.aprons = spawn.Queue()
        for number in range(count):
            self.aprons.put(number)
        self.cooks = spawn.Pool(count, dress, (self.aprons,), maxtasksperchild=5)

    def serve(self, dishes):
        return self.cooks.map(cook, dishes, chunksize=1)


def noon(canteen):
    while True:
        canteen.serve(range(12))
        time.sleep(0.1)


LENT = True


if __name__ == "__main__":
    canteen = Canteen(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    noon(canteen)
