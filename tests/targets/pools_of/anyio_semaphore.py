"""Semaphore of anyio."""

import anyio


async def taking_async(size):
    semaphore = anyio.Semaphore(size, max_value=size)
    return lambda: semaphore
