import asyncio
import os
import signal
import threading
import urllib.request
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.http import StreamingHttpResponse
from django.urls import path

signal.alarm(120)


async def tick_prices():
    price = 100
    while True:
        price += 1
        yield "data: %d\n\n" % price
        await asyncio.sleep(0.5)


def ticker(request):
    return StreamingHttpResponse(tick_prices(), content_type="text/event-stream")


urlpatterns = [path("ticker/", ticker)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="exchange")
django.setup()


def follow(port):
    with urllib.request.urlopen("http://127.0.0.1:%d/ticker/" % port) as prices:
        for line in prices:
            print(line.decode(), end="", flush=True)


if __name__ == "__main__":
    from django.core.wsgi import get_wsgi_application

    exchange = make_server("127.0.0.1", 0, get_wsgi_application())
    threading.Thread(target=exchange.serve_forever, name="exchange", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    follow(exchange.server_port)
