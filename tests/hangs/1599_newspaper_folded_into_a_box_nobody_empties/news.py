import asyncio
import itertools


class Subscription:
    def __init__(self, name, size):
        self.name = name
        self.box = asyncio.Queue(maxsize=size)

    async def papers(self):
        while True:
            yield await self.box.get()


class NewsRoom:
    """Every paper goes into the box of every subscriber."""

    def __init__(self):
        self.subscribers = []
        self.printed = 0

    def subscribe(self, name, size=20):
        subscription = Subscription(name, size)
        self.subscribers.append(subscription)
        return subscription

    def cancel(self, subscription):
        self.subscribers.remove(subscription)

    async def publish(self, paper):
        for subscription in list(self.subscribers):
            await subscription.box.put(paper)
        self.printed += 1

    async def print_papers(self):
        for number in itertools.count(1):
            await self.publish("issue %d" % number)
            await asyncio.sleep(0.02)
