import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import janus

signal.alarm(120)


def read_lines(lines, count):
    for n in range(count):
        lines.put(f"line {n}")


async def store_lines(lines, count):
    for _ in range(count):
        await lines.get()
        await asyncio.sleep(0.01)


async def copy_file(pool, written):
    lines = janus.Queue(maxsize=2)
    loop = asyncio.get_running_loop()
    reading = loop.run_in_executor(pool, read_lines, lines.sync_q, 10)
    await store_lines(lines.async_q, written)
    await reading


async def main():
    with ThreadPoolExecutor(1, thread_name_prefix="reader") as pool:
        print("MARK main pid=%d" % os.getpid())
        await copy_file(pool, 3)


if __name__ == "__main__":
    asyncio.run(main())
