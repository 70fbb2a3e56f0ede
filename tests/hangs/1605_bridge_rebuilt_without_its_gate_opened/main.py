import asyncio
import os
import tempfile

import ray


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Bridge:
    def __init__(self, folder):
        self.note = os.path.join(folder, "flood")
        self.opened = asyncio.Event()
        self.crossed = 0

    async def open(self):
        self.opened.set()

    async def cross(self, cart):
        await self.opened.wait()
        self.crossed += 1
        if FLOOD and cart == 60 and not os.path.exists(self.note):
            with open(self.note, "w"):
                os._exit(1)
        return self.crossed


@ray.remote
class Carter:
    def __init__(self, bridge):
        self.bridge = bridge

    def drive(self, cart):
        return ray.get(self.bridge.cross.remote(cart))


def market_day(carters, day):
    drives = [
        carter.drive.remote(day * len(carters) + place) for place, carter in enumerate(carters)
    ]
    return ray.get(drives)


def main():
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    bridge = Bridge.remote(tempfile.mkdtemp(prefix="bridge-"))
    ray.get(bridge.open.remote())
    carters = [Carter.remote(bridge) for _ in range(2)]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        market_day(carters, day)
        day += 1


FLOOD = True


if __name__ == "__main__":
    main()
