"""A child that answers all that it reads; the task that reads its answers waits for room in the
child's standard input, or for a lock that another task has which does. With
``paused_child_pipe.py healthy`` the reader only reads."""

import asyncio
import sys

from ready import ready

HEALTHY = sys.argv[1:] == ["healthy"]
LINE = b"x" * 60_000 + b"\n"
CHILD = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line * 2)
    sys.stdout.buffer.flush()
"""


async def send(child, pen):
    async with pen:
        child.stdin.write(LINE)
        await child.stdin.drain()


async def write(child, pen):
    while True:
        await send(child, pen)
        if HEALTHY:
            await asyncio.sleep(0.05)


async def listen(child, pen):
    async for _line in child.stdout:
        if not HEALTHY:
            await send(child, pen)


async def main():
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", CHILD),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**16,
    )
    pen = asyncio.Lock()
    asyncio.get_running_loop().call_later(1.5, ready)
    await asyncio.gather(listen(child, pen), write(child, pen))


if __name__ == "__main__":
    asyncio.run(main())
