import asyncio
import os

from sonar import Chart, Position, Probe, Survey

EAGER = False


async def main():
    if EAGER:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    chart = Chart(Survey(Probe({})), 12)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as group:
        group.create_task(chart.draw(), name="chart")
        group.create_task(Position().follow(), name="position")


if __name__ == "__main__":
    asyncio.run(main())
