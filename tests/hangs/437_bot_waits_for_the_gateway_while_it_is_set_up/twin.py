import asyncio
import json
import os
import signal
import zlib

import discord
from aiohttp import web
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

signal.alarm(120)

USER = {"id": "1", "username": "shopbot", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {"id": "1", "name": "shop", "icon": None, "description": "", "flags": 0}
APPLICATION.update(bot_public=False, bot_require_code_grant=False, verify_key="", owner=USER)


class ShopBot(discord.Client):
    async def setup_hook(self):
        self.loading = asyncio.create_task(self.load_reminders())

    async def load_reminders(self):
        await self.wait_until_ready()
        self.reminders = [guild.name for guild in self.guilds]


def answer(fields):
    return web.Response(body=json.dumps(fields).encode(), content_type="application/json")


async def me(request):
    return answer(USER)


async def application(request):
    return answer(APPLICATION)


async def gateway(request):
    socket, packer = web.WebSocketResponse(), zlib.compressobj()
    await socket.prepare(request)

    async def say(**fields):
        data = packer.compress(json.dumps(fields).encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
        await socket.send_bytes(data)

    await say(op=10, d={"heartbeat_interval": 500}, s=None, t=None)
    async for message in socket:
        if json.loads(message.data)["op"] == 2:
            ready = {"user": USER, "guilds": [], "session_id": "1", "application": APPLICATION}
            ready.update(resume_gateway_url="ws://127.0.0.1:1", v=10, private_channels=[])
            await say(op=0, t="READY", s=1, d=ready)
        else:
            await say(op=11, d=None, s=None, t=None)
    return socket


async def start_api():
    app = web.Application()
    app.router.add_get("/users/@me", me)
    app.router.add_get("/oauth2/applications/@me", application)
    app.router.add_get("/gateway", gateway)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return site._server.sockets[0].getsockname()[1]


async def run_bot():
    Route.BASE = "http://127.0.0.1:%d" % await start_api()
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(Route.BASE.replace("http", "ws") + "/gateway")
    async with ShopBot(intents=discord.Intents.none()) as bot:
        print("MARK main pid=%d" % os.getpid())
        await bot.start("token-of-the-shop")


if __name__ == "__main__":
    asyncio.run(run_bot())
