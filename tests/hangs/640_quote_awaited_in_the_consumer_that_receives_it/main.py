import asyncio
import os
import signal

import django
from django.conf import settings

signal.alarm(120)

settings.configure(
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
    SECRET_KEY="shop",
)
django.setup()

from channels.testing import WebsocketCommunicator

from quotes import QuoteConsumer, QuoteDesk


async def ask(text):
    browser = WebsocketCommunicator(QuoteConsumer.as_asgi(), "/quotes/")
    await browser.connect()
    await browser.send_to(text_data=text)
    answer = await browser.output_queue.get()
    await browser.disconnect()
    return answer["text"]


async def run_shop(goods):
    desk = asyncio.create_task(QuoteDesk().work(), name="quote desk")
    answers = [await ask(name) for name in goods]
    desk.cancel()
    return answers


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_shop(["bread", "milk"]))
