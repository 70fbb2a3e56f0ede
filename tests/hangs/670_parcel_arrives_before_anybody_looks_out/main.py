import os
import signal
import socket
import threading
import urllib.request

from sanic import Sanic
from sanic.response import text

signal.alarm(120)

app = Sanic("parcels")
app.config.EVENT_AUTOREGISTER = True


class Depot:
    def __init__(self):
        self.arrived = []

    async def receive(self, number):
        self.arrived.append(number)
        await app.dispatch("parcel.depot.arrived", fail_not_found=False)


depot = Depot()


@app.post("/parcels/<number:int>")
async def track(request, number):
    await depot.receive(number)
    await app.event("parcel.depot.arrived")
    return text("arrived")


def order_parcels(port):
    for number in (1, 2):
        asked = urllib.request.Request("http://127.0.0.1:%d/parcels/%d" % (port, number), b"")
        urllib.request.urlopen(asked).read()


@app.after_server_start
async def open_shop(app, loop):
    threading.Thread(target=order_parcels, args=(app.ctx.port,), daemon=True).start()


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", 0))
    app.ctx.port = listening.getsockname()[1]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    app.run(sock=listening, single_process=True, access_log=False, motd=False)
