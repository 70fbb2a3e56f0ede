"""The same as asyncio_abba, with the tasks and futures of asyncio that are written in Python."""

import asyncio

from asyncio_abba import main


def task(loop, coroutine, **options):
    named = {name: value for name, value in options.items() if name == "name"}
    return asyncio.tasks._PyTask(coroutine, loop=loop, **named)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.set_task_factory(task)
    loop.create_future = lambda: asyncio.futures._PyFuture(loop=loop)
    loop.run_until_complete(main())
