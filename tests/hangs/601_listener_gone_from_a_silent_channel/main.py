import asyncio
import os
import signal

import falcon.asgi
import falcon.testing

signal.alarm(120)


class Channel:
    def __init__(self):
        self.news = []

    async def on_websocket(self, request, socket):
        await socket.accept()
        while True:
            await asyncio.sleep(0.2)
            while self.news:
                await socket.send_text(self.news.pop())


async def listen(channel):
    app = falcon.asgi.App()
    app.add_route("/news", channel)
    async with falcon.testing.ASGIConductor(app) as conductor:
        async with conductor.simulate_ws("/news") as socket:
            await socket.wait_ready()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(listen(Channel()))
