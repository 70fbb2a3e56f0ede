import asyncio

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect


class Guest:
    def __init__(self, name, socket):
        self.name = name
        self.socket = socket
        self.raised = asyncio.Event()


class Hall:
    def __init__(self, host_raises):
        self.guests = {}
        self.toasts = []
        self.host_raises = host_raises

    async def toast(self, host, words):
        for guest in self.guests.values():
            guest.raised.clear()
            await guest.socket.send_json({"toast": words, "by": host.name})
        if self.host_raises:
            host.raised.set()
        for guest in list(self.guests.values()):
            await guest.raised.wait()
        self.toasts.append(words)
        await host.socket.send_json({"done": words})

    async def seat(self, socket):
        await socket.accept()
        guest = Guest(socket.path_params["name"], socket)
        self.guests[guest.name] = guest
        try:
            while True:
                message = await socket.receive_json()
                if "raise" in message:
                    guest.raised.set()
                else:
                    await self.toast(guest, message["say"])
        except WebSocketDisconnect:
            del self.guests[guest.name]

    async def list_toasts(self, request):
        return JSONResponse({"toasts": self.toasts, "guests": sorted(self.guests)})

    def app(self):
        return Starlette(
            routes=[
                WebSocketRoute("/seat/{name}", self.seat),
                Route("/toasts", self.list_toasts),
            ]
        )
