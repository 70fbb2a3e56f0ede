import asyncio
import collections
import contextlib
import itertools
import json


class Vault:
    """One town's purses; gold goes to the other town's vault by messenger."""

    def __init__(self, town, shut_first):
        self.town = town
        self.shut_first = shut_first
        self.guards = collections.defaultdict(asyncio.Lock)
        self.gold = collections.Counter()
        self.sent = 0

    async def receive(self, purse, coins):
        async with self.guards[purse]:
            self.gold[purse] += coins
            await asyncio.sleep(0.01)
            return self.gold[purse]

    async def answer(self, reader, writer):
        while True:
            line = await reader.readline()
            if not line:
                break
            order = json.loads(line)
            total = await self.receive(order["purse"], order["coins"])
            writer.write(json.dumps({"total": total}).encode() + b"\n")
            await writer.drain()
        writer.close()

    async def open(self, port):
        return await asyncio.start_server(self.answer, "127.0.0.1", port)


class Messenger:
    def __init__(self, port):
        self.port = port

    async def bring(self, purse, coins):
        reader, writer = await self.walk()
        try:
            writer.write(json.dumps({"purse": purse, "coins": coins}).encode() + b"\n")
            await writer.drain()
            return json.loads(await reader.readline())["total"]
        finally:
            writer.close()

    async def walk(self):
        while True:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", self.port)
            await asyncio.sleep(0.1)


class Bank:
    def __init__(self, vault, messenger):
        self.vault = vault
        self.messenger = messenger

    async def transfer(self, purse, coins):
        if self.vault.shut_first:
            async with self.vault.guards[purse]:
                self.vault.gold[purse] -= coins
            await self.messenger.bring(purse, coins)
        else:
            async with self.vault.guards[purse]:
                self.vault.gold[purse] -= coins
                await asyncio.sleep(0.05)
                await self.messenger.bring(purse, coins)
        self.vault.sent += coins

    async def trade(self):
        for coins in itertools.count(1):
            await self.transfer("miller", coins % 7)
            await asyncio.sleep(0.01)

    async def tax(self):
        while True:
            await asyncio.sleep(0.5)
            self.vault.gold["town"] += 1


async def run(town, own, other, shut_first):
    vault = Vault(town, shut_first)
    await vault.open(own)
    bank = Bank(vault, Messenger(other))
    await asyncio.gather(
        asyncio.create_task(bank.trade(), name="trade"),
        asyncio.create_task(bank.tax(), name="tax"),
    )
