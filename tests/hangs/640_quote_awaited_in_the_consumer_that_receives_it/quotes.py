import asyncio

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

PRICES = {"bread": 3, "milk": 2}


class QuoteDesk:
    def __init__(self):
        self.layer = get_channel_layer()

    async def work(self):
        while True:
            request = await self.layer.receive("quotes")
            price = PRICES[request["name"]]
            await self.layer.send(request["reply"], {"type": "quote.made", "price": price})


class QuoteConsumer(AsyncWebsocketConsumer):
    async def connect(self):
        self.quote = None
        await self.accept()

    async def receive(self, text_data):
        self.quote = asyncio.get_running_loop().create_future()
        request = {"type": "quote", "name": text_data, "reply": self.channel_name}
        await self.channel_layer.send("quotes", request)
        await self.send(text_data=str(await self.quote))

    async def quote_made(self, event):
        self.quote.set_result(event["price"])
