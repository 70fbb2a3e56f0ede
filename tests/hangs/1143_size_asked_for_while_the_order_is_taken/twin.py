import asyncio
import os

from tornado import queues, web, websocket


class Counter(websocket.WebSocketHandler):
    def open(self):
        self.sizes = queues.Queue()

    async def on_message(self, message):
        kind, _, value = message.partition(" ")
        if kind == "order":
            if AT_ONCE:
                await self.take_order(value)
            else:
                asyncio.ensure_future(self.take_order(value))
        elif kind == "size":
            await self.sizes.put(value)

    async def take_order(self, goods):
        await self.write_message("which size")
        size = await self.sizes.get()
        await self.write_message("bill for %s in %s" % (goods, size))


class Customer:
    def __init__(self, port):
        self.url = "ws://127.0.0.1:%d/counter" % port
        self.bills = []

    async def order_shirt(self):
        line = await websocket.websocket_connect(self.url)
        await line.write_message("order shirt")
        await line.read_message()
        await line.write_message("size L")
        self.bills.append(await line.read_message())
        line.close()


def open_shop():
    application = web.Application([("/counter", Counter)])
    server = application.listen(0, "127.0.0.1")
    return next(iter(server._sockets.values())).getsockname()[1]


async def run_shop():
    customer = Customer(open_shop())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await customer.order_shirt()
        await asyncio.sleep(0.02)


AT_ONCE = False


if __name__ == "__main__":
    asyncio.run(run_shop())
