import asyncio
import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote(max_concurrency=4)
class Gate:
    def __init__(self, permits):
        self.permits = asyncio.Semaphore(permits)

    async def enter(self, name):
        await self.permits.acquire()
        return name

    async def leave(self, name):
        self.permits.release()
        return name


@ray.remote(num_cpus=0)
def caption(gate, name):
    ray.get(gate.enter.remote(name))
    time.sleep(0.2)
    ray.get(gate.leave.remote(name))
    return name


def caption_all(gate, count):
    return ray.get([caption.remote(gate, "page-%d" % i) for i in range(count)])


PAGES = 3


if __name__ == "__main__":
    gate = Gate.remote(1)
    caption_all(gate, 2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        caption_all(gate, PAGES)
