import os
import signal
import threading
import time

import anyio
from anyio import from_thread, to_thread

signal.alarm(120)
both = threading.Barrier(2)


def read_fragment(name):
    time.sleep(0.01)
    return name.upper()


async def load_fragment(name, limiter):
    return await to_thread.run_sync(read_fragment, name, limiter=limiter)


def render_page(name, limiter):
    both.wait()
    return from_thread.run(load_fragment, name, limiter)


async def serve_pages(limiter):
    async with anyio.create_task_group() as group:
        for n in range(2):
            page = f"page-{n}"
            group.start_soon(
                lambda page=page: to_thread.run_sync(render_page, page, limiter, limiter=limiter),
                name=page,
            )


async def main():
    limiter = anyio.CapacityLimiter(2)
    print("MARK main pid=%d" % os.getpid())
    await serve_pages(limiter)


if __name__ == "__main__":
    anyio.run(main)
