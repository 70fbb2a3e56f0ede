import threading


class Herald(threading.Thread):
    """Prints the news between two commands."""

    def __init__(self, console, every):
        super().__init__(name="herald", daemon=True)
        self.console = console
        self.every = every
        self.dismissed = threading.Event()
        self.told = 0

    def tell(self):
        with self.console.terminal_lock:
            self.told += 1
            self.console.poutput("news %d" % self.told)

    def run(self):
        while not self.dismissed.wait(self.every):
            self.tell()
