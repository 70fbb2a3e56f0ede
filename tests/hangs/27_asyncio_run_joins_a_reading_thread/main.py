import asyncio
import os
import queue
import signal

signal.alarm(120)


def next_line(typed):
    return typed.get()


async def talk(typed, turns):
    loop = asyncio.get_running_loop()
    line = loop.run_in_executor(None, next_line, typed)
    for _ in range(turns):
        await asyncio.sleep(0.02)
    line.cancel()


def hang_up(typed):
    pass


async def main():
    typed = queue.Queue()
    await talk(typed, 10)
    hang_up(typed)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(main())
