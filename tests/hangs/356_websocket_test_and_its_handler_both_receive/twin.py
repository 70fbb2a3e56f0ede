import os
import signal

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient

signal.alarm(120)

menu = {"soup": 4, "salad": 6, "pie": 5}


async def take_orders(websocket):
    await websocket.accept()
    async for order in websocket.iter_json():
        if order["dish"] in menu:
            await websocket.send_json({"price": menu[order["dish"]]})


def check_prices(client, dishes):
    prices = []
    with client.websocket_connect("/orders") as table:
        for dish in dishes:
            table.send_json({"dish": dish})
            prices.append(table.receive_json()["price"])
    return prices


if __name__ == "__main__":
    kitchen = Starlette(routes=[WebSocketRoute("/orders", take_orders)])
    print("MARK main pid=%d" % os.getpid())
    with TestClient(kitchen) as client:
        while True:
            check_prices(client, ["soup", "salad", "pie"])
