import os
import time

import ray


@ray.remote(num_cpus=1)
def blend(stock, spice):
    time.sleep(0.05)
    return "%s with %s" % (stock, spice)


@ray.remote(num_cpus=0)
class Kitchen:
    def __init__(self):
        self.boiled = 0
        self.me = None

    def meet(self, me):
        self.me = me

    def boil(self, number):
        time.sleep(0.1)
        self.boiled += 1
        return "stock %d" % number

    def stock_for(self, number):
        if AHEAD and number == 4:
            return self.me.boil.remote(number)
        return self.boil(number)

    def season(self, number, spice):
        sauce = blend.remote(self.stock_for(number), spice)
        return ray.get(sauce)


def cook(kitchen, number):
    return ray.get(kitchen.season.remote(number, "thyme"))


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    kitchen = Kitchen.remote()
    ray.get(kitchen.meet.remote(kitchen))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        cook(kitchen, number)
        number += 1


AHEAD = True


if __name__ == "__main__":
    main()
