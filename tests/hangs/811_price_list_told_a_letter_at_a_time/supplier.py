import socket
import threading
import time


class Supplier:
    def __init__(self, letters, pause=0.4):
        self.letters = letters
        self.pause = pause
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]

    def open(self):
        threading.Thread(target=self.serve, name="supplier", daemon=True).start()

    def serve(self):
        while True:
            caller, _ = self.door.accept()
            threading.Thread(target=self.tell, args=(caller,), daemon=True).start()

    def tell(self, caller):
        caller.recv(4096)
        caller.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
            % self.letters
        )
        for _ in range(self.letters):
            caller.sendall(b"a")
            time.sleep(self.pause)
        caller.close()
