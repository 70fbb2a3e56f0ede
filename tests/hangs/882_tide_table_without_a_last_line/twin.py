import asyncio
import os

from aiochannel import Channel

GAP = "0"


class Station:
    def __init__(self, lines):
        self.lines = lines
        self.sent = 0

    async def next_line(self):
        await asyncio.sleep(0.01)
        line = self.lines[self.sent]
        self.sent += 1
        return line


def parse(line):
    hour, level = line.split()
    return int(hour), float(level)


async def read_tide(station, levels):
    while station.sent < len(station.lines):
        line = await station.next_line()
        await levels.put(parse(line))
    levels.close()


async def draw_curve(levels):
    curve = []
    async for hour, level in levels:
        curve.append((hour, "*" * round(level * 10)))
    return curve


def lines_of_today():
    return ["1 0.4", "2 0.9", "3 " + GAP, "4 1.1", "5 0.7"]


async def make_table():
    levels = Channel(maxsize=4)
    reading = asyncio.create_task(read_tide(Station(lines_of_today()), levels), name="tide")
    curve = await draw_curve(levels)
    await reading
    return curve


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await make_table()


if __name__ == "__main__":
    asyncio.run(main())
