import asyncio
import os
import signal
import sys

from arq import create_pool
from arq.connections import RedisSettings
from arq.worker import Worker

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


async def make_report(context, month):
    await asyncio.sleep(0.1)
    return "report of " + month


class Reports:
    def __init__(self, redis):
        self.redis = redis

    async def ordered(self, month):
        job = await self.redis.enqueue_job("make_report", month)
        return await job.result()


async def run_office(settings):
    redis = await create_pool(settings)
    worker = Worker(
        [make_report],
        redis_settings=settings,
        queue_name="arq:reports",
        handle_signals=False,
        burst=False,
    )
    task = asyncio.create_task(worker.async_run())
    reports = Reports(redis)
    for month in ("may", "june"):
        print(await reports.ordered(month), flush=True)
    task.cancel()


if __name__ == "__main__":
    port = start("fake_redis_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_office(RedisSettings(port=port)))
