import asyncio
import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote(num_cpus=0)
class Quota:
    def __init__(self, permits):
        self.permits = asyncio.Semaphore(permits)

    async def acquire(self):
        await self.permits.acquire()

    async def release(self):
        self.permits.release()


@ray.remote(num_cpus=1)
class Judge:
    def __init__(self, quota):
        self.quota = quota

    def rate(self, text, seconds):
        ray.get(self.quota.acquire.remote())
        try:
            time.sleep(seconds)
            return len(text)
        finally:
            ray.get(self.quota.release.remote())


def rate_all(judges, texts):
    return ray.get([judges[at % 2].rate.remote(text, 0.01) for at, text in enumerate(texts)])


def replace(judges, quota):
    judges[0].rate.remote("a long text", 60 if STRIKE else 0.01)
    time.sleep(1)
    ray.kill(judges[0])
    judges[0] = Judge.remote(quota)


STRIKE = True


if __name__ == "__main__":
    quota = Quota.remote(1)
    judges = [Judge.remote(quota) for _ in range(2)]
    rate_all(judges, ["a text", "another"])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        replace(judges, quota)
        rate_all(judges, ["a text", "another", "a third"])
