import socket
import threading


class Keeper(threading.Thread):
    """Hands out boxes over TLS, one line for each."""

    def __init__(self, context, hears):
        super().__init__(name="keeper", daemon=True)
        self.context = context
        self.hears = hears
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]

    def serve(self, plain):
        with self.context.wrap_socket(plain, server_side=True) as line:
            while request := line.recv(200):
                line.sendall(b"box of " + request)
            if self.hears:
                line.unwrap()
            else:
                self.linger(plain, line)

    def linger(self, plain, line):
        """Wait in plain words for the receipt."""
        socket.socket.recv(line, 200)

    def run(self):
        while True:
            plain, _ = self.door.accept()
            threading.Thread(target=self.serve, args=(plain,), name="porter", daemon=True).start()
