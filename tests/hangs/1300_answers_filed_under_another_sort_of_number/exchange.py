import json
import socket
import sys


def number_of(message, dotted):
    return "%s" % message["id"] if message.get("town", "") in dotted else message["id"]


def serve(listener, dotted):
    connection, _ = listener.accept()
    for line in connection.makefile("r", encoding="utf-8"):
        message = json.loads(line)
        answer = {"id": number_of(message, dotted), "result": 40 + len(message["town"])}
        connection.sendall(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    serve(listener, sys.argv[1:])
