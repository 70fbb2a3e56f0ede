import itertools
import json
import socket
import threading

NAMES = json.dumps([{"name": f"file-{number}", "tags": [number]} for number in range(400)])


class Server:
    def __init__(self, line):
        self.line = line
        threading.Thread(target=self.serve, name="server", daemon=True).start()

    def serve(self):
        for text in self.line.makefile():
            asked = json.loads(text)
            names = NAMES if asked["what"] == "list" else "[]"
            answer = '{"number": %d, "names": %s}\n' % (asked["number"], names)
            self.line.sendall(answer.encode())


class Connection:
    def __init__(self):
        here, there = socket.socketpair()
        self.server = Server(there)
        self.line = here
        self.numbers = itertools.count()
        self.waiting = {}
        self.answers = {}
        threading.Thread(target=self.receive, name="receiver", daemon=True).start()

    def receive(self):
        for text in self.line.makefile():
            answer = json.loads(text)
            self.answers[answer["number"]] = answer["names"]
            self.waiting[answer["number"]].set()

    def ask(self, what, path):
        number = next(self.numbers)
        self.waiting[number] = threading.Event()
        message = json.dumps({"number": number, "what": what, "path": path})
        self.line.sendall(message.encode() + b"\n")
        self.wait_for(number)
        return self.answers.pop(number)

    def wait_for(self, number):
        self.waiting[number].wait()
        del self.waiting[number]
