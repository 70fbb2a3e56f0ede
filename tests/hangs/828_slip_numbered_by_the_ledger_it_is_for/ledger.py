import anyio
from anyio import from_thread, to_thread


class Ledger:
    def __init__(self):
        self.turn = anyio.Lock()
        self.entries = []

    async def book(self, entry):
        async with self.turn:
            slip = await to_thread.run_sync(self.print_slip, entry)
            self.entries.append(slip)

    def print_slip(self, entry):
        number = from_thread.run(self.next_number)
        return f"{number}: {entry}"

    async def next_number(self):
        async with self.turn:
            return len(self.entries) + 1
