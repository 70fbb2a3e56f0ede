import asyncio
import multiprocessing
import os
import socket


def run_buoy(line):
    count = 0
    while True:
        data, address = line.recvfrom(1024)
        count += 1
        if count % LOSS:
            line.sendto(data + b" 3 m", address)


class Radio(asyncio.DatagramProtocol):
    def __init__(self):
        self.waiting = {}

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        number, _, height = data.partition(b" ")
        answer = self.waiting.pop(int(number), None)
        if answer and not answer.done():
            answer.set_result(height)


class Pilot:
    def __init__(self, radio):
        self.radio = radio
        self.number = 0

    async def ask(self):
        self.number += 1
        answer = asyncio.get_running_loop().create_future()
        self.radio.waiting[self.number] = answer
        self.radio.transport.sendto(b"%d" % self.number)
        return await answer


async def steer(address):
    loop = asyncio.get_running_loop()
    _, radio = await loop.create_datagram_endpoint(Radio, remote_addr=address)
    pilot = Pilot(radio)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await pilot.ask()
        await asyncio.sleep(0.01)


LOSS = 100


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))
    buoy = multiprocessing.Process(target=run_buoy, args=(line,), name="buoy", daemon=True)
    buoy.start()
    address = line.getsockname()
    line.close()
    asyncio.run(steer(address))
