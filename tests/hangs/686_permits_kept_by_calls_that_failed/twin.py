import asyncio
import os

import ray


@ray.remote
class Limiter:
    def __init__(self, permits):
        self.permits = asyncio.Semaphore(permits)

    async def acquire(self):
        await self.permits.acquire()

    async def release(self):
        self.permits.release()


def parse(number):
    if number in BROKEN:
        raise ValueError("page %d is broken" % number)
    return number


BROKEN = (1, 4)


@ray.remote(max_retries=0)
def fetch(limiter, number):
    ray.get(limiter.acquire.remote())
    try:
        return parse(number)
    finally:
        ray.get(limiter.release.remote())


def fetch_all(limiter):
    pages = []
    for page in [fetch.remote(limiter, number) for number in range(8)]:
        try:
            pages.append(ray.get(page))
        except ValueError:
            pass
    return pages


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    limiter = Limiter.options(num_cpus=0).remote(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        fetch_all(limiter)


if __name__ == "__main__":
    main()
