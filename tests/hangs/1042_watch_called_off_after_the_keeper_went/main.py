import asyncio
import os

from procrastinate import App
from procrastinate.testing import InMemoryConnector

IN_TIME = False

app = App(connector=InMemoryConnector())


class Lighthouse:
    def __init__(self):
        self.turns = 0

    async def turn(self):
        self.turns += 1
        await asyncio.sleep(0.05)


lamp = Lighthouse()


@app.task(name="keep_watch", pass_context=True)
async def keep_watch(context):
    while not context.should_abort():
        await lamp.turn()


async def call_off(job_id):
    await app.job_manager.cancel_job_by_id_async(job_id, abort=True)


async def spend_night():
    worker = asyncio.create_task(
        app.run_worker_async(
            install_signal_handlers=False,
            listen_notify=False,
            fetch_job_polling_interval=0.05,
            abort_job_polling_interval=0.05,
        ),
        name="keeper",
    )
    job_id = await keep_watch.defer_async()
    await asyncio.sleep(0.3)
    if IN_TIME:
        await call_off(job_id)
        await asyncio.sleep(0.2)
    worker.cancel()
    await asyncio.sleep(0.1)
    await call_off(job_id)
    await asyncio.wait([worker])


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with app.open_async():
        while True:
            await spend_night()


if __name__ == "__main__":
    asyncio.run(main())
