import threading


class Board:
    """What was announced last, and how often anything was."""

    def __init__(self, title):
        self.title = title
        self.edition = 0
        self.text = ""
        self.changed = threading.Condition()

    def post(self, text):
        with self.changed:
            self.text = text
            self.edition += 1
            self.changed.notify_all()

    def after(self, edition):
        with self.changed:
            self.changed.wait_for(lambda: self.edition > edition)
            return self.edition, self.text


class Boards:
    def __init__(self):
        self.guard = threading.Lock()
        self.by_title = {}

    def board(self, title):
        with self.guard:
            if title not in self.by_title:
                self.by_title[title] = Board(title)
            return self.by_title[title]

    def clear(self, keep):
        with self.guard:
            self.by_title = {
                title: board if title in keep else Board(title)
                for title, board in self.by_title.items()
            }
