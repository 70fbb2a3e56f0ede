import asyncio
import os
import signal

from apscheduler.schedulers.background import BackgroundScheduler

signal.alarm(120)


class Feed:
    def __init__(self):
        self.loop = asyncio.get_running_loop()
        self.next_message = self.loop.create_future()

    def announce_rate(self):
        if not self.next_message.done():
            self.loop.call_soon_threadsafe(self.next_message.set_result, "rate 1.08")


async def serve_messages(feed):
    while True:
        message = await feed.next_message
        feed.next_message = feed.loop.create_future()
        print("sent", message)


async def main():
    feed = Feed()
    scheduler = BackgroundScheduler()
    scheduler.add_job(feed.announce_rate, "interval", seconds=0.5)
    scheduler.start()
    await serve_messages(feed)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(main())
