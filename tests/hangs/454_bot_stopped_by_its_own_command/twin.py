import asyncio
import os
import signal

from telegram import Update
from telegram.ext import ApplicationBuilder, TypeHandler
from telegram.request import BaseRequest

signal.alarm(120)


class Desk(BaseRequest):
    read_timeout = 5

    async def initialize(self):
        pass

    async def shutdown(self):
        pass

    async def do_request(self, url, method, *args, **kwargs):
        return 200, b'{"ok": true, "result": {"id": 1, "is_bot": true, "first_name": "shop"}}'


async def on_command(update, context):
    await asyncio.sleep(0.02)
    context.application.bot_data["close"] = True


async def close_shop(application):
    await application.stop()
    await application.shutdown()


async def run_bot():
    builder = ApplicationBuilder().token("1:shop").updater(None).job_queue(None)
    application = builder.request(Desk()).get_updates_request(Desk()).build()
    application.add_handler(TypeHandler(Update, on_command))
    await application.initialize()
    await application.start()
    await application.update_queue.put(Update(1))
    while not application.bot_data:
        await asyncio.sleep(0.05)
    await close_shop(application)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(run_bot())
