import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor

import ray


class Office:
    """Calls other offices and opens files in its messengers."""

    def __init__(self):
        self.messengers = ThreadPoolExecutor(2, thread_name_prefix="messenger")
        self.other = None

    def meet(self, other):
        self.other = other

    async def send(self, errand, *words):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.messengers, errand, *words)


@ray.remote(num_cpus=0)
class Town(Office):
    async def stamp(self, letter):
        if not SAME:
            return await self.other.seal.remote(letter)
        return await self.send(self.fetch_seal, letter)

    def fetch_seal(self, letter):
        return ray.get(self.other.seal.remote(letter))

    async def address(self, letter):
        return await self.send(self.look_up, letter)

    def look_up(self, letter):
        time.sleep(0.001)
        return "street-%d" % (letter % 7)


@ray.remote(num_cpus=0)
class Castle(Office):
    async def seal(self, letter):
        await asyncio.sleep(0.002)
        return await self.other.address.remote(letter) + " sealed"


class Post:
    def __init__(self):
        self.town, self.castle = Town.remote(), Castle.remote()
        ray.get([self.town.meet.remote(self.castle), self.castle.meet.remote(self.town)])

    def carry(self, letters):
        return ray.get([self.town.stamp.remote(letter) for letter in letters])


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    post = Post()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 1
    while True:
        post.carry(range(number % 4))
        number += 1


SAME = True


if __name__ == "__main__":
    main()
