"""documented.py thread|task|undocumented: waits in a package, below functions with docstrings."""

import asyncio
import sys

from ready import ready

PACKAGE = '''
"""What keeps things apart."""
import asyncio, threading

class Box:
    def __init__(self):
        self.free = threading.Event()

    def __enter__(self):
        return self.acquire("no docstring")

    def acquire(self, text):
        """Use a server to hold a shared, distributed lock named ``name``.

        If somebody else has the lock, this blocks until that one
        :meth:`releases <Box.release>` it.
        """
        self.free.wait()

    def __exit__(self, *_):
        pass

    def bare(self):
        "".join(["a constant of", "a function without any docstring"])
        self.free.wait()

    async def hold(self):
        """Hold it."""
        await self.held()

    async def held(self):
        r"""Wait for whoever has it."""
        await asyncio.get_event_loop().create_future()
'''
lockbox = {"__name__": "lockbox"}
exec(compile(PACKAGE, "/lib/python3/site-packages/lockbox/__init__.py", "exec"), lockbox)
Box = lockbox["Box"]


def thread():
    ready()
    with Box():
        pass


def undocumented():
    ready()
    Box().bare()


def task():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)

    async def main():
        loop.call_later(0.1, ready)
        await Box().hold()

    loop.run_until_complete(main())


globals()[sys.argv[1]]()
