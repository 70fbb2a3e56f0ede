import asyncio
import os
import signal

from taskiq import InMemoryBroker

signal.alarm(120)

broker = InMemoryBroker(max_stored_results=50)


@broker.task
async def weigh_parcel(number):
    await asyncio.sleep(0.01)
    return number * 3


async def weigh_all(parcels):
    tasks = [await weigh_parcel.kiq(number) for number in range(parcels)]
    results = [await task.wait_result() for task in tasks]
    return sum(result.return_value for result in results)


async def main():
    await broker.startup()
    print("MARK main pid=%d" % os.getpid())
    print(await weigh_all(200))


if __name__ == "__main__":
    asyncio.run(main())
