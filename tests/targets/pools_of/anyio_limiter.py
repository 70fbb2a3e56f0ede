"""CapacityLimiter of anyio."""

from contextlib import asynccontextmanager

import anyio


async def taking_async(size):
    limiter = anyio.CapacityLimiter(size)

    @asynccontextmanager
    async def token():
        await limiter.acquire_on_behalf_of(here := object())
        try:
            yield here
        finally:
            limiter.release_on_behalf_of(here)

    return token
