import socket
import sys

question = sys.stdin.read()
with socket.create_server(("127.0.0.1", 0)) as server:
    peer, _ = server.accept()
    print(question, "is fine")
