import sys

from aiohttp import web


async def letters(request):
    letter = await request.read()
    return web.Response(text="signed for %d" % len(letter))


app = web.Application()
app.router.add_post("/letters", letters)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
