"""Two tasks take two locks in opposite order."""

import asyncio

import pytest


async def move(first, second, barrier):
    async with first:
        barrier.append(None)
        while len(barrier) < 2:
            await asyncio.sleep(0)
        async with second:
            pass


@pytest.mark.asyncio
async def test_before():
    pass


@pytest.mark.asyncio
async def test_moves():
    red, blue, barrier = asyncio.Lock(), asyncio.Lock(), []
    await asyncio.gather(move(red, blue, barrier), move(blue, red, barrier))


def test_after():
    pass
