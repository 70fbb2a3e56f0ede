"""trio_pipes.py: a task of trio reads what a child process is to say, which waits to be fed."""

import subprocess

import trio
from ready import ready


async def main():
    child = await trio.lowlevel.open_process(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tell)
        await child.stdout.receive_some()


async def tell():
    await trio.sleep(0.2)
    ready()


trio.run(main)
