import asyncio
import json
import os
import signal

import discord
from aiohttp import web
from discord.http import Route

signal.alarm(120)

USER = {"id": "1", "username": "shopbot", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {"id": "1", "name": "shop", "icon": None, "description": "", "flags": 0}
APPLICATION.update(bot_public=False, bot_require_code_grant=False, verify_key="", owner=USER)


class ShopBot(discord.Client):
    async def setup_hook(self):
        await self.load_reminders()

    async def load_reminders(self):
        await self.wait_until_ready()
        self.reminders = [guild.name for guild in self.guilds]


def answer(fields):
    return web.Response(body=json.dumps(fields).encode(), content_type="application/json")


async def me(request):
    return answer(USER)


async def application(request):
    return answer(APPLICATION)


async def start_api():
    app = web.Application()
    app.router.add_get("/users/@me", me)
    app.router.add_get("/oauth2/applications/@me", application)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return site._server.sockets[0].getsockname()[1]


async def run_bot():
    Route.BASE = "http://127.0.0.1:%d" % await start_api()
    async with ShopBot(intents=discord.Intents.none()) as bot:
        print("MARK main pid=%d" % os.getpid())
        await bot.start("token-of-the-shop")


if __name__ == "__main__":
    asyncio.run(run_bot())
