import json
import sys
import time

from websockets.sync.server import serve


def deliver(line, number):
    for parcel in range(5):
        time.sleep(0.05)
        data = {"parcels": {"number": parcel}}
        line.send(json.dumps({"id": number, "type": "next", "payload": {"data": data}}))
    line.send(json.dumps({"id": number, "type": "complete"}))


def attend(line):
    for text in line:
        message = json.loads(text)
        if message["type"] == "connection_init":
            line.send(json.dumps({"type": "connection_ack"}))
        elif message["type"] == "subscribe" and sys.argv[1] == "on foot":
            deliver(line, message["id"])


with serve(
    attend, "127.0.0.1", 0, subprotocols=["graphql-transport-ws"], ping_interval=None
) as server:
    print(server.socket.getsockname()[1], flush=True)
    server.serve_forever()
