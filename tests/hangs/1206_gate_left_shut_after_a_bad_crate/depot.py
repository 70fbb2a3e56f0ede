import asyncio


class Gate(asyncio.Protocol):
    def __init__(self, stock):
        self.stock = stock
        self.tasks = set()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.pause_reading()
        task = asyncio.ensure_future(self.unpack(data.decode()))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def unpack(self, crate):
        await asyncio.sleep(0.01)
        count, _, goods = crate.strip().partition(" ")
        self.stock[goods] = self.stock.get(goods, 0) + int(count)
        self.transport.write(b"taken in %s\n" % goods.encode())
        self.transport.resume_reading()


async def run_depot():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Gate({}), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(run_depot())
