import os
import time

import ray


@ray.remote(num_cpus=0, concurrency_groups={"disk": 1, "status": 1})
class PageStore:
    def __init__(self):
        self.pages = {}
        self.me = None

    def meet(self, me):
        self.me = me

    def load(self, number):
        time.sleep(0.05)
        self.pages[number] = bytes(1024)
        return self.pages[number]

    @ray.method(concurrency_group="disk")
    def read_page(self, number):
        if number not in self.pages:
            self.load(number)
        if number % 8 == 7:
            return self.with_neighbour(number)
        return self.pages[number]

    def with_neighbour(self, number):
        if REMOTE:
            left = ray.get(self.me.read_page.remote(number - 1))
        else:
            left = self.load(number - 1)
        return left + self.pages[number]

    @ray.method(concurrency_group="status")
    def fill_level(self):
        return len(self.pages)


@ray.remote(num_cpus=0)
class Gauge:
    def watch(self, store):
        while True:
            ray.get(store.fill_level.remote())
            time.sleep(0.5)


def prefill(store, number):
    return len(ray.get(store.read_page.remote(number)))


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    store, gauge = PageStore.remote(), Gauge.remote()
    ray.get(store.meet.remote(store))
    gauge.watch.remote(store)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        prefill(store, number)
        number += 1


REMOTE = False


if __name__ == "__main__":
    main()
