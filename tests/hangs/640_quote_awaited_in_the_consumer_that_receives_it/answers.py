from channels.generic.websocket import AsyncWebsocketConsumer

from quotes import QuoteDesk as QuoteDesk


class QuoteConsumer(AsyncWebsocketConsumer):
    async def receive(self, text_data):
        request = {"type": "quote", "name": text_data, "reply": self.channel_name}
        await self.channel_layer.send("quotes", request)

    async def quote_made(self, event):
        await self.send(text_data=str(event["price"]))
