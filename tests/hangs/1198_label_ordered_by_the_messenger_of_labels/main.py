import multiprocessing
import os
import time


def weigh(parcel):
    time.sleep(0.02)
    return len(parcel) * 120


def print_label(weight):
    return "%d g" % weight


class Desk:
    def __init__(self, pool):
        self.pool = pool
        self.labels = []

    def on_weight(self, weight):
        if weight > HEAVY:
            self.labels.append(self.pool.apply(print_label, (weight,)))
        else:
            self.labels.append(None)

    def hand_in(self, parcel):
        return self.pool.apply_async(weigh, (parcel,), callback=self.on_weight)

    def send_all(self, parcels):
        under_way = [self.hand_in(parcel) for parcel in parcels]
        return [result.get() for result in under_way]


def run_office():
    with multiprocessing.Pool(2) as pool:
        desk = Desk(pool)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            desk.send_all(["book", "teapot", "umbrella", "gloves"])
            desk.labels.clear()
            time.sleep(0.05)


HEAVY = 600


if __name__ == "__main__":
    run_office()
