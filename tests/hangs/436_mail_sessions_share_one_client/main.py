import asyncio
import os
import signal
import sys
from email.message import EmailMessage

import aiosmtplib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class PostOffice:
    def __init__(self, port):
        self.client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False)
        self.receipt_sent = asyncio.Event()

    def letter(self, subject):
        message = EmailMessage()
        message["From"], message["To"] = "shop@shop.example", "ann@home.example"
        message["Subject"] = subject
        return message

    async def send_receipt(self):
        async with self.client:
            await self.client.send_message(self.letter("Your receipt"))
        self.receipt_sent.set()

    async def send_parcel_note(self):
        async with self.client:
            await self.receipt_sent.wait()
            await self.client.send_message(self.letter("Your parcel is on its way"))


async def close_order(port):
    office = PostOffice(port)
    await asyncio.gather(office.send_parcel_note(), office.send_receipt())


if __name__ == "__main__":
    port = start("smtp_server", "slow")
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(close_order(port))
