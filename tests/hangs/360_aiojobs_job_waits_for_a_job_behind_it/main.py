import asyncio
import os
import signal

import aiojobs

signal.alarm(120)


class Archive:
    def __init__(self, scheduler):
        self.scheduler = scheduler

    async def pack_folder(self, folder):
        sizes = [await self.scheduler.spawn(self.pack_file(name)) for name in folder]
        return sum([await job.wait() for job in sizes])

    async def pack_file(self, name):
        await asyncio.sleep(0.02)
        return len(name)


async def pack_all(folders):
    async with aiojobs.Scheduler(limit=2) as scheduler:
        archive = Archive(scheduler)
        jobs = [await scheduler.spawn(archive.pack_folder(folder)) for folder in folders]
        return [await job.wait() for job in jobs]


async def main():
    print("MARK main pid=%d" % os.getpid())
    print(await pack_all([["a.txt", "b.txt"], ["c.txt"]]))


if __name__ == "__main__":
    asyncio.run(main())
