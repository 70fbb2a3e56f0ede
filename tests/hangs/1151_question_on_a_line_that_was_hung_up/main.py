import asyncio
import os


class Archive(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.left = ANSWERS

    def data_received(self, data):
        for question in data.splitlines():
            if self.left == 0:
                self.transport.close()
                return
            self.left -= 1
            self.transport.write(b"page of " + question + b"\n")


class Line(asyncio.Protocol):
    def __init__(self):
        self.waiting = []
        self.connected = False

    def connection_made(self, transport):
        self.transport = transport
        self.connected = True

    def data_received(self, data):
        for answer in data.splitlines():
            self.waiting.pop(0).set_result(answer)

    def connection_lost(self, error):
        self.connected = False


class Library:
    def __init__(self, line):
        self.line = line

    async def ask(self, word):
        answer = asyncio.get_running_loop().create_future()
        self.line.waiting.append(answer)
        self.line.transport.write(word.encode() + b"\n")
        return await answer


async def run_library():
    loop = asyncio.get_running_loop()
    archive = await loop.create_server(Archive, "127.0.0.1", 0)
    port = archive.sockets[0].getsockname()[1]
    _, line = await loop.create_connection(Line, "127.0.0.1", port)
    library = Library(line)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await library.ask("lighthouse")
        await asyncio.sleep(0.01)


ANSWERS = 50


if __name__ == "__main__":
    asyncio.run(run_library())
