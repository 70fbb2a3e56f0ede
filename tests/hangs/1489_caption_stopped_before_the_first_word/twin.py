import asyncio
import os

from captions.runner import Studio

WARM = True


async def visit(studio, number):
    run = await studio.open(number, WARM)
    await asyncio.sleep(0.2)
    for word in ("good", "evening", "everybody"):
        await run.say(word)
    await studio.leave(number)


async def main():
    studio = Studio()
    beat = asyncio.create_task(studio.beat(), name="beat")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while not beat.done():
        await visit(studio, number)
        number += 1


if __name__ == "__main__":
    asyncio.run(main())
