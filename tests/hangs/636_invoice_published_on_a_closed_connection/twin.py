import asyncio
import os
import signal
import sys

import aio_pika

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Billing:
    def __init__(self, url):
        self.url = url

    async def open(self):
        self.connection = await aio_pika.connect_robust(self.url)
        self.channel = await self.connection.channel()

    async def bill(self, order):
        message = aio_pika.Message(b"invoice %d" % order)
        await self.channel.default_exchange.publish(message, routing_key="invoices")

    async def close(self):
        await self.connection.close()


async def bill_month(billing, orders):
    await billing.open()
    late = [asyncio.create_task(bill_later(billing, order)) for order in orders]
    await billing.bill(0)
    await asyncio.gather(*late)
    await billing.close()


async def bill_later(billing, order):
    await asyncio.sleep(1)
    await billing.bill(order)


if __name__ == "__main__":
    billing = Billing("amqp://guest:guest@127.0.0.1:%d/" % start("amqp_server", "slow"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(bill_month(billing, [1, 2]))
