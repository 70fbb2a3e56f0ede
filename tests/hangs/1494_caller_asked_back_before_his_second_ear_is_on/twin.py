import asyncio
import os

from pyrogram import Client
from pyrogram.handlers import RawUpdateHandler

from desk.conversation import Desk, Letter

INLINE = False


async def post(dispatcher, client):
    """Stands for the connection: what people write."""
    sender = 1
    while True:
        for text in ("hello", "order", "large"):
            dispatcher.updates_queue.put_nowait((Letter(sender, text), {}, {}))
            await asyncio.sleep(0.1)
        del client.outbox[:-10]
        sender += 1


async def main():
    client = Client("desk", api_id=1, api_hash="0" * 32, in_memory=True, workers=3)
    client.outbox = []
    dispatcher = client.dispatcher
    client.add_handler(RawUpdateHandler(Desk(client, INLINE).on_letter), 0)
    await dispatcher.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.create_task(post(dispatcher, client), name="post")


if __name__ == "__main__":
    asyncio.get_event_loop_policy().get_event_loop().run_until_complete(main())
