import asyncio
import os
import signal
import socket
import threading

import aiocoap

signal.alarm(120)


class Lamps:
    def __init__(self, port):
        self.address = "coap://127.0.0.1:%d/lamp" % port

    async def open(self):
        self.context = await aiocoap.Context.create_client_context()

    async def light(self, level):
        message = aiocoap.Message(
            code=aiocoap.PUT, mtype=aiocoap.NON, uri=self.address, payload=b"%d" % level
        )
        return await self.context.request(message).response


async def evening(port):
    lamps = Lamps(port)
    await lamps.open()
    while True:
        await lamps.light(20)
        await asyncio.sleep(0.1)


def lamp(socket_of_lamp):
    while True:
        data, sender = socket_of_lamp.recvfrom(2000)
        asked = aiocoap.Message.decode(data)
        answer = aiocoap.Message(
            code=aiocoap.CHANGED, mtype=aiocoap.NON, mid=asked.mid, token=asked.token
        )
        socket_of_lamp.sendto(answer.encode(), sender)


if __name__ == "__main__":
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.bind(("127.0.0.1", 0))
    threading.Thread(target=lamp, args=(own,), name="lamp", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(evening(own.getsockname()[1]))
