import asyncio


class Board:
    def __init__(self):
        self.orders = asyncio.Queue()
        self.closing = asyncio.Event()
        self.bells = asyncio.Queue()
        self.served = {}

    def ticket(self, number, dish):
        ready = asyncio.get_running_loop().create_future()
        self.orders.put_nowait((number, dish, ready))
        return ready


class Cook:
    def __init__(self, board, keep):
        self.board = board
        self.keep = keep
        self.pending = {}

    def watch(self, name, source):
        if name not in self.pending or not self.keep:
            self.pending[name] = asyncio.ensure_future(source())
        return self.pending[name]

    async def next_order(self):
        order = self.watch("order", self.board.orders.get)
        bell = self.watch("bell", self.board.bells.get)
        done, _ = await asyncio.wait({order, bell}, return_when=asyncio.FIRST_COMPLETED)
        for name, task in list(self.pending.items()):
            if task in done:
                del self.pending[name]
        return order.result() if order in done else None

    async def work(self, speed):
        while not self.board.closing.is_set():
            order = await self.next_order()
            if order is None:
                continue
            number, dish, ready = order
            await asyncio.sleep(speed)
            self.board.served[number] = dish
            ready.set_result(f"{dish} for table {number}")
