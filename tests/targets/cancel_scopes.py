"""Tasks in cancel scopes like anyio's, by its names, which were cancelled and do not end."""

import asyncio
import contextlib
import sys

from ready import ready

sys.modules["anyio"] = sys.modules[__name__]


class CancelScope:
    __slots__ = ("_cancel_called",)

    def __init__(self, cancelled):
        self._cancel_called = cancelled

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class TaskGroup:
    def __init__(self, scope):
        self.cancel_scope = scope

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        return None


@contextlib.contextmanager
def fail_after(scope):
    with scope:
        yield


async def in_scope(event):
    with CancelScope(True):
        await event.wait()


async def in_group(event):
    async with TaskGroup(CancelScope(True)):
        await event.wait()


async def in_function(event):
    with fail_after(CancelScope(True)):
        await event.wait()


async def further_out(event):
    with CancelScope(True):
        with CancelScope(False):
            await event.wait()


async def not_cancelled(event):
    with CancelScope(False):
        await event.wait()


async def main():
    event = asyncio.Event()
    functions = (in_scope, in_group, in_function, further_out, not_cancelled)
    tasks = [asyncio.ensure_future(one(event)) for one in functions]
    await asyncio.sleep(0)
    asyncio.get_event_loop().call_soon(ready)
    await asyncio.wait(tasks)


if __name__ == "__main__":
    asyncio.run(main())
