"""A cluster of Ray that works for some seconds, then ends: MODE is a way, SECONDS for how long."""

import asyncio
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import ray
import ready
from ray.util.queue import Queue

END = time.monotonic() + float(sys.argv[2])


def start():
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)


def goes_on():
    return time.monotonic() < END


@ray.remote
def square(number, seconds=0.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        number + 1
    return number * number


@ray.remote
def total(count):
    return sum(ray.get([square.remote(number) for number in range(count)]))


@ray.remote
class Cart:
    def __init__(self, other=None):
        self.other = other
        self.count = 0

    def add(self, number):
        self.count += number
        return self.count

    def forward(self, number):
        return ray.get(self.other.add.remote(number))


@ray.remote
class Asked:
    def __init__(self, other=None):
        self.other = other

    async def price(self, number):
        await asyncio.sleep(0.05)
        return number

    async def sum(self, number):
        return sum(await asyncio.gather(*(self.other.price.remote(n) for n in range(number))))


def idle():
    """An actor, and nothing to do."""
    cart = Cart.remote()
    ray.get(cart.add.remote(1))
    ready.ready()
    time.sleep(max(0, END - time.monotonic()))


def tasks():
    """Short tasks, some of which wait for others."""
    ray.get(square.remote(1))
    ready.ready()
    while goes_on():
        ray.get([square.remote(number, 0.01) for number in range(20)])
        ray.get([total.remote(3), total.remote(4)])


def slow():
    """Tasks that compute for seconds, more than can run at once."""
    ray.get(square.remote(1))
    ready.ready()
    while goes_on():
        left = [square.remote(number, 2.0) for number in range(4)]
        while left:
            _, left = ray.wait(left)


def actors():
    """Actors that ask each other."""
    last = Cart.remote()
    first = Cart.remote(last)
    ray.get(first.forward.remote(1))
    ready.ready()
    while goes_on():
        ray.get([first.forward.remote(number) for number in range(10)])


def asyncs():
    """Actors whose methods are coroutines."""
    last = Asked.remote()
    first = Asked.remote(last)
    ray.get(first.sum.remote(1))
    ready.ready()
    while goes_on():
        ray.get([first.sum.remote(number) for number in range(5)])


@ray.remote(num_cpus=0)
def put_all(queue, count):
    for number in range(count):
        time.sleep(0.02)
        queue.put(number)


def queue():
    """A queue between a task and the driver, which waits for what comes slowly."""
    parts = Queue(maxsize=2)
    ray.get(put_all.remote(parts, 1))
    parts.get()
    ready.ready()
    while goes_on():
        done = put_all.remote(parts, 20)
        for _ in range(20):
            parts.get()
        ray.get(done)


class Doubler:
    def __call__(self, batch):
        time.sleep(0.01)
        return {"id": batch["id"] * 2}


@ray.remote(num_cpus=1)
def total_of(rows):
    ray.data.DataContext.get_current().enable_progress_bars = False
    return ray.data.range(rows, override_num_blocks=4).sum("id")


def data():
    """Datasets, made by a pool of actors, or in a task that leaves CPUs to them."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.get(total_of.remote(10))
    ready.ready()
    while goes_on():
        doubled = ray.data.range(400, override_num_blocks=8).map_batches(
            Doubler, compute=ray.data.ActorPoolStrategy(size=1), batch_size=50
        )
        doubled.materialize()
        ray.get(total_of.remote(1000))


def again():
    """It begins and ends, again and again."""
    ray.get(square.remote(1))
    ready.ready()
    while goes_on():
        ray.shutdown()
        start()
        ray.get([square.remote(number) for number in range(4)])


if __name__ == "__main__":
    start()
    globals()[sys.argv[1]]()
