import threading

from flask import Flask, request
from flask_socketio import SocketIO
from werkzeug.serving import make_server

app = Flask(__name__)
house = SocketIO(app, async_mode="threading")


class Choice:
    def __init__(self):
        self.made = threading.Event()
        self.side = None

    def make(self, side):
        self.side = side
        self.made.set()


@house.on("order")
def take_order(dish):
    choice = Choice()
    house.emit("choose_side", dish, to=request.sid, callback=choice.make)
    choice.made.wait()
    return "%s with %s" % (dish, choice.side)


def open_house():
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, name="house", daemon=True).start()
    return "http://127.0.0.1:%d" % server.server_port
