import asyncio
import multiprocessing
import os
import socket
import struct

import asyncmy

GREETING = (
    b"\x0a8.0.30\0"
    + struct.pack("<I", 7)
    + b"12345678\0"
    + struct.pack("<H", 0xF7FF)
    + b"\x21"
    + struct.pack("<HH", 2, 0x8)
    + b"\x15"
    + bytes(10)
    + b"123456789012\0"
    + b"mysql_native_password\0"
)
DONE = b"\0\0\0" + struct.pack("<HH", 2, 0)


def send_packet(link, number, body):
    link.sendall(struct.pack("<I", len(body))[:3] + bytes([number]) + body)


def read_packet(link):
    head = link.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        return None, b""
    return head[3], link.recv(int.from_bytes(head[:3], "little"), socket.MSG_WAITALL)


def serve_one(link):
    send_packet(link, 0, GREETING)
    while True:
        number, body = read_packet(link)
        if number is None or body[:1] == b"\x01":
            return
        send_packet(link, number + 1, DONE)


def run_database(listener):
    while True:
        link, _ = listener.accept()
        with link:
            serve_one(link)


class Books:
    def __init__(self, port):
        self.place = {"host": "127.0.0.1", "port": port, "user": "clerk", "ssl_disabled": True}
        self.entries = 0

    async def open_ledger(self):
        return await asyncmy.connect(host="127.0.0.1", port=self.place["port"], user="clerk")

    async def open_audit(self):
        return await asyncmy.connect(host="127.0.0.1", port=self.place["port"], user="audit")

    async def note(self, link, text):
        async with link.cursor() as cursor:
            await cursor.execute("INSERT INTO notes VALUES ('%s')" % text)
        self.entries += 1

    async def book(self, text):
        ledger = await self.open_ledger()
        await self.note(ledger, text)
        if not KEPT_OPEN:
            await ledger.ensure_closed()
        audit = await self.open_audit()
        await self.note(audit, text)
        await audit.ensure_closed()


KEPT_OPEN = True


async def main(port):
    books = Books(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await books.book("tea")
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        context = multiprocessing.get_context("fork")
        context.Process(target=run_database, args=(listener,), name="database", daemon=True).start()
    asyncio.run(main(port))
