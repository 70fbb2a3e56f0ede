"""A thread and a task inside exit stacks that contain themselves, and inside locks."""

import asyncio
import contextlib
import threading

from ready import ready

lock = threading.Lock()


def hold():
    stack = contextlib.ExitStack()
    for _ in range(300):
        stack.push(stack)
    with stack, lock:
        asyncio.run(hold_in_a_task())


async def hold_in_a_task():
    stack = contextlib.AsyncExitStack()
    for _ in range(300):
        stack.push_async_exit(stack)
    async with stack, asyncio.Lock():
        ready()
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    threading.Thread(target=hold, name="holder").start()
