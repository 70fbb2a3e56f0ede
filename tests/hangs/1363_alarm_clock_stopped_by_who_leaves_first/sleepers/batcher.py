import threading


class Batcher:
    """Gathers lines and writes them once it has been quiet for a while."""

    def __init__(self, sink, quiet):
        self.sink = sink
        self.quiet = quiet
        self.guard = threading.Lock()
        self.lines = []
        self.timer = None
        self.tickets = []

    def add(self, line):
        ticket = threading.Event()
        with self.guard:
            self.lines.append(line)
            self.tickets.append(ticket)
            self._again()
        return ticket

    def _again(self):
        if self.timer is not None:
            self.timer.cancel()
        self.timer = threading.Timer(self.quiet, self.flush)
        self.timer.name = "batch"
        self.timer.daemon = True
        self.timer.start()

    def flush(self):
        with self.guard:
            lines, self.lines = self.lines, []
            tickets, self.tickets = self.tickets, []
            self.timer = None
        self.sink.write(lines)
        for ticket in tickets:
            ticket.set()

    def pause(self):
        """Until the next line."""
        with self.guard:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None


class Sink:
    def __init__(self):
        self.written = 0

    def write(self, lines):
        self.written += len(lines)
