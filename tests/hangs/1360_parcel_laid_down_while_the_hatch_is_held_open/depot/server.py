import socket
import threading


class Session(threading.Thread):
    """One client of the depot: a few words of FTP."""

    def __init__(self, control, shelves):
        super().__init__(name="session", daemon=True)
        self.control = control
        self.words = control.makefile("r", encoding="latin-1", newline="\r\n")
        self.shelves = shelves
        self.passive = None

    def say(self, text):
        self.control.sendall(text.encode() + b"\r\n")

    def do_pasv(self, _):
        self.passive = socket.create_server(("127.0.0.1", 0))
        port = self.passive.getsockname()[1]
        self.say("227 Entering (127,0,0,1,%d,%d)" % divmod(port, 256))

    def do_stor(self, name):
        self.say("150 Send it")
        data, _ = self.passive.accept()
        self.passive.close()
        self.shelves[name] = self.store(data)
        self.say("226 Stored")

    def store(self, data):
        size = 0
        with data:
            while block := data.recv(8192):
                size += len(block)
        return size

    def run(self):
        self.say("220 Depot")
        for line in self.words:
            word, _, rest = line.strip().partition(" ")
            act = getattr(self, "do_" + word.lower(), None)
            if act is None:
                self.say("230 Fine" if word in ("USER", "TYPE") else "502 No")
            else:
                act(rest)


class Depot(threading.Thread):
    def __init__(self):
        super().__init__(name="depot", daemon=True)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.shelves = {}

    def run(self):
        while True:
            Session(self.door.accept()[0], self.shelves).start()
