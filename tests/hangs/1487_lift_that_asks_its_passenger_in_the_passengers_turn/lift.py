import json
import logging
import threading

from websocket_server import WebsocketServer

log = logging.getLogger("lift")


class Call:
    def __init__(self):
        self.answered = threading.Event()
        self.value = None


class Lift:
    def __init__(self, asks):
        self.asks = asks
        self.calls = {}
        self.rides = 0
        self.server = WebsocketServer(host="127.0.0.1", port=0)
        self.server.set_fn_message_received(self.on_message)

    @property
    def port(self):
        return self.server.server_address[1]

    def ask(self, client, question):
        number = len(self.calls)
        self.calls[number] = call = Call()
        self.server.send_message(client, json.dumps({"ask": question, "number": number}))
        call.answered.wait()
        del self.calls[number]
        return call.value

    def ride(self, client, floor):
        if self.asks and self.ask(client, "really floor %d?" % floor) != "yes":
            return
        self.rides += 1
        self.server.send_message(client, json.dumps({"at": floor}))

    def on_message(self, client, server, message):
        message = json.loads(message)
        if "answer" in message:
            call = self.calls[message["number"]]
            call.value = message["answer"]
            call.answered.set()
        else:
            self.ride(client, message["floor"])
