import asyncio
import threading

from asgiref.sync import sync_to_async


class Ticket:
    def __init__(self, number):
        self.number = number
        self.stamped = threading.Event()


class Garage:
    def __init__(self):
        self.tickets = {}
        self.left = 0

    def enter(self, number):
        ticket = Ticket(number)
        self.tickets[number] = ticket
        return ticket

    def leave(self, number):
        ticket = self.tickets[number]
        ticket.stamped.wait()
        del self.tickets[number]
        self.left += 1
        return self.left

    def stamp(self, number):
        self.tickets[number].stamped.set()


class Views:
    def __init__(self, garage, one_thread):
        self.garage = garage
        self.enter = sync_to_async(garage.enter, thread_sensitive=one_thread)
        self.leave = sync_to_async(garage.leave, thread_sensitive=one_thread)
        self.stamp = sync_to_async(garage.stamp, thread_sensitive=one_thread)

    async def arrival(self, number):
        await self.enter(number)
        exit_request = asyncio.create_task(self.exit_gate(number), name="exit-%d" % number)
        await asyncio.sleep(0.05)
        await self.cashier(number)
        await exit_request

    async def exit_gate(self, number):
        return await self.leave(number)

    async def cashier(self, number):
        await asyncio.sleep(0.05)
        await self.stamp(number)


class Display:
    def __init__(self, garage):
        self.garage = garage
        self.shown = 0

    async def refresh(self):
        while True:
            self.shown = len(self.garage.tickets)
            await asyncio.sleep(0.7)
