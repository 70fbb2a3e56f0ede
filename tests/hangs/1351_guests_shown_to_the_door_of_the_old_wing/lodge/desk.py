import socket
import threading


class Desk:
    """A desk that answers lines; a change of rules opens it anew on the same port."""

    def __init__(self, port=0):
        self.port = port
        self.rules = {}
        self.socket = None
        self.clerk = None
        self.stopping = threading.Event()

    def open(self, rules):
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(("127.0.0.1", self.port))
        made.listen(16)
        self.port = made.getsockname()[1]
        self.rules = rules
        self.socket = made
        self.stopping = threading.Event()
        self.clerk = threading.Thread(
            target=self.serve, args=(made, self.stopping), name="clerk", daemon=True
        )
        self.clerk.start()

    def serve(self, made, stopping):
        made.settimeout(0.3)
        while not stopping.is_set():
            try:
                guest, _ = made.accept()
            except socket.timeout:
                continue
            with guest, guest.makefile("rw") as lines:
                name = lines.readline().strip()
                lines.write("%s\n" % self.rules.get(name, "attic"))
                lines.flush()


class Wing:
    def __init__(self, desk, tidy):
        self.desk = desk
        self.tidy = tidy
        self.archive = []

    def change(self, rules):
        old, desk = self.desk.socket, self.desk
        desk.stopping.set()
        desk.clerk.join()
        if self.tidy:
            old.close()
        else:
            self.archive.append(old)
        desk.open(rules)
