import asyncio
import os
import signal

from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend

signal.alarm(120)


async def publish_goals(channels, goals):
    for minute in goals:
        await channels.wait_published({"minute": minute}, "final")


async def show_ticker(channels, lines):
    subscriber = await channels.subscribe("final", history=lines)
    shown = []
    async with subscriber.run_in_background(collect(shown)):
        await asyncio.sleep(0.05)
    await channels.unsubscribe(subscriber, "final")
    return shown


def collect(shown):
    async def append(event):
        shown.append(event)

    return append


async def main():
    channels = ChannelsPlugin(
        backend=MemoryChannelsBackend(history=20), channels=["final"], subscriber_max_backlog=5
    )
    async with channels:
        await publish_goals(channels, range(3, 90, 9))
        print("MARK main pid=%d" % os.getpid())
        print(await show_ticker(channels, 10))


if __name__ == "__main__":
    asyncio.run(main())
