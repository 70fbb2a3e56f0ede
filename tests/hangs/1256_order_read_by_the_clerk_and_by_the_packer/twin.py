import http.client
import json
import multiprocessing
import os
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route


class Ledger(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        if READ_FIRST:
            order = await request.json()
            request.state.weight = order["weight"]
        return await call_next(request)


async def place_order(request):
    order = await request.json()
    return JSONResponse({"price": 3 * order["weight"]})


def run_shop(door):
    app = Starlette(routes=[Route("/orders", place_order, methods=["POST"])])
    app.add_middleware(Ledger)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    server.run(sockets=[door])


class Customer:
    def __init__(self, port):
        self.port = port

    def buy(self, weight):
        line = http.client.HTTPConnection("127.0.0.1", self.port)
        line.request("POST", "/orders", json.dumps({"weight": weight}))
        price = json.loads(line.getresponse().read())["price"]
        line.close()
        return price


READ_FIRST = False


if __name__ == "__main__":
    door = socket.create_server(("127.0.0.1", 0))
    shop = multiprocessing.Process(target=run_shop, args=(door,), name="shop", daemon=True)
    shop.start()
    port = door.getsockname()[1]
    door.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    customer = Customer(port)
    while True:
        customer.buy(4)
