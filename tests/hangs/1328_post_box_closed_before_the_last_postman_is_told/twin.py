import asyncio
import os

from aiohttp import web

from service import Api, Mailroom

GOODBYE = True


async def season(mailroom):
    runner = web.AppRunner(Api(mailroom).application())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    await asyncio.sleep(0.5)
    await runner.cleanup()


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mailroom = Mailroom()
        mailroom.says_goodbye = GOODBYE
        await season(mailroom)


if __name__ == "__main__":
    asyncio.run(main())
