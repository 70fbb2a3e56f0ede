"""task_pipes.py NAME [healthy]: a task reads what a child process is to say.

ring: the child waits to be told something by the same task.
silent: the child says nothing.
full: the child does not read what the task has for it.
kept: the child has ended, and left its output to a child of its own.
"""

import asyncio
import sys

from ready import ready

NAME, HEALTHY = sys.argv[1], sys.argv[2:] == ["healthy"]
PIPE = asyncio.subprocess.PIPE
MUCH = b"0" * 3000000


async def ring():
    child = await asyncio.create_subprocess_exec("cat", stdin=PIPE, stdout=PIPE)
    if HEALTHY:
        child.stdin.close()
    await child.stdout.read()


async def silent():
    pause = "0.01" if HEALTHY else "3000"
    child = await asyncio.create_subprocess_exec("sleep", pause, stdout=PIPE)
    await child.stdout.readline()


async def full():
    command = ("cat", "/dev/stdin") if HEALTHY else ("sleep", "3000")
    output = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=output)
    child.stdin.write(MUCH)
    await child.stdin.drain()
    child.stdin.close()
    await child.wait()


async def kept():
    pause = "0.01" if HEALTHY else "3000"
    child = await asyncio.create_subprocess_exec("sh", "-c", f"sleep {pause} &", stdout=PIPE)
    await child.wait()


async def main():
    asyncio.get_running_loop().call_later(0.3, ready)
    while True:
        await globals()[NAME]()


asyncio.run(main())
