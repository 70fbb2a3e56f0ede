import json
import threading

from websockets.sync.server import serve


def call(number, service, cup):
    message = {"op": "call_service", "id": "robot:%d" % number, "service": service}
    return json.dumps({**message, "args": {"cup": cup}})


def talk(link):
    for text in link:
        message = json.loads(text)
        if message["op"] == "advertise_service":
            link.send(call(1, message["service"], 3))
        elif message["op"] == "call_service":
            link.send(
                json.dumps(
                    {
                        "op": "service_response",
                        "id": message["id"],
                        "service": message["service"],
                        "values": {"x": 0.4, "y": 1.2},
                        "result": True,
                    }
                )
            )
        elif message["op"] == "service_response":
            link.send(call(2, message["service"], 4))


def start_robot():
    server = serve(talk, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, name="robot", daemon=True).start()
    return server.socket.getsockname()[1]
