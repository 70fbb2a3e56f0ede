import asyncio
import logging

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from gazette.press import Gazette, Wire


class Office:
    def __init__(self, size, at_once):
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self.wire = Wire()
        self.gazette = Gazette(self.wire, size)
        self.scheduler = AsyncIOScheduler()
        self.scheduler.add_job(
            self.gazette.collect, "interval", seconds=0.4, id="collect", max_instances=at_once
        )
        self.scheduler.add_job(self.wire.tick, "interval", seconds=1, id="tick")

    async def run(self, ready):
        self.scheduler.start()
        ready()
        await asyncio.Event().wait()
