import asyncio
import os
import queue


class Journal:
    def __init__(self):
        self.lines = queue.Queue()
        self.written = []

    def write_up(self):
        while True:
            line = self.lines.get()
            if line is None:
                return len(self.written)
            self.written.append(line)


async def sail(journal, days):
    for day in days:
        journal.lines.put("day %d: fair wind" % day)
        await asyncio.sleep(0.01)


async def voyage():
    journal = Journal()
    writing = asyncio.ensure_future(asyncio.to_thread(journal.write_up))
    await sail(journal, DAYS)
    return writing.done()


def endless():
    day = 0
    while True:
        yield day
        day += 1


DAYS = endless()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(voyage())
    print("home", flush=True)
