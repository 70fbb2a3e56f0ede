import os
import signal

import trio

signal.alarm(120)


async def read_log(lines, name):
    async with lines:
        for number in range(3):
            await lines.send(f"{name}: {number}")


async def merge_lines(lines):
    return sorted([line async for line in lines])


async def collect_logs(names):
    send_lines, lines = trio.open_memory_channel(0)
    async with trio.open_nursery() as nursery:
        for name in names:
            nursery.start_soon(read_log, send_lines.clone(), name)
        return await merge_lines(lines)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    trio.run(collect_logs, ["mail", "web"])
