import asyncio
import os


class Rates:
    def __init__(self, slowness):
        self.slowness = slowness
        self.pending = {}

    async def load(self, currency):
        await asyncio.sleep(self.slowness)
        return {"SEK": 11.2, "NOK": 11.9}[currency]

    async def rate(self, currency):
        if currency in self.pending:
            return await self.pending[currency]
        answer = asyncio.get_running_loop().create_future()
        self.pending[currency] = answer
        try:
            value = await self.load(currency)
        except Exception as error:
            self.pending.pop(currency).set_exception(error)
            raise
        self.pending.pop(currency).set_result(value)
        return value


class Window:
    def __init__(self, rates, patience):
        self.rates = rates
        self.patience = patience
        self.unanswered = 0

    async def ask(self, currency):
        try:
            return await asyncio.wait_for(self.rates.rate(currency), self.patience)
        except TimeoutError:
            self.unanswered += 1
            return None


class Invoices:
    def __init__(self, rates):
        self.rates = rates
        self.written = []

    async def write(self, amount, currency):
        self.written.append(amount * await self.rates.rate(currency))


async def run_bank():
    rates = Rates(SLOWNESS)
    window, invoices = Window(rates, 0.3), Invoices(rates)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await window.ask("SEK")
        await invoices.write(120, "SEK")
        invoices.written.clear()


SLOWNESS = 0.6


if __name__ == "__main__":
    asyncio.run(run_bank())
