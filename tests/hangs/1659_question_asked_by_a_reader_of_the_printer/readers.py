import json
import socket
import sys

name, street, door = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
paper = socket.create_connection(("127.0.0.1", street))
desk = socket.create_connection(("127.0.0.1", door))
answers = desk.makefile("r")
paper.sendall(name.encode() + b"\n")
lines = asked = 0


def ask(about):
    desk.sendall(json.dumps({"about": about}).encode() + b"\n")
    return int(answers.readline())


while True:
    data = paper.recv(1 << 16)
    if not data:
        break
    lines += data.count(b"\n")
    if name == "bruno" and lines % 4 == 1 and lines > asked:
        asked = lines
        ask(lines)
