import threading
from multiprocessing import AuthenticationError
from multiprocessing.connection import Listener


class Gate:
    """Lets in who knows the word; each guest is served in a thread."""

    def __init__(self, word):
        self.listener = Listener(("127.0.0.1", 0), backlog=16, authkey=word)
        self.address = self.listener.address
        self.prices = {"pepper": 30, "silk": 200}
        self.refused = 0

    def open(self):
        threading.Thread(target=self.admit, name="gate", daemon=True).start()

    def admit(self):
        while True:
            try:
                guest = self.listener.accept()
            except (AuthenticationError, OSError, EOFError):
                self.refused += 1
                continue
            threading.Thread(target=self.serve, args=(guest,), daemon=True).start()

    def serve(self, guest):
        with guest:
            ware = guest.recv()
            self.prices[ware] = self.prices[ware] % 500 + 1
            guest.send(self.prices[ware])
