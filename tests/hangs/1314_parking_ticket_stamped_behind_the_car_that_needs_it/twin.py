import asyncio
import os

from garage import Display, Garage, Views

ONE_THREAD = False


async def cars(views):
    number = 0
    while True:
        await views.arrival(number)
        number += 1


async def main():
    garage = Garage()
    display = asyncio.create_task(Display(garage).refresh(), name="display")
    queue = asyncio.create_task(cars(Views(garage, ONE_THREAD)), name="cars")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(display, queue)


if __name__ == "__main__":
    asyncio.run(main())
