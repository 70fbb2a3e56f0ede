import poplib
import time


class Mailbag:
    def __init__(self, port, counts):
        self.box = poplib.POP3("127.0.0.1", port)
        self.counts = counts

    def survey(self):
        self.box.noop()
        _answer, lines, _size = self.box.list()
        return len(lines)

    def work(self):
        self.box.user("post")
        self.box.pass_("horn")
        while True:
            self.counts.put(self.survey())
            time.sleep(0.1)


class Sorter:
    def __init__(self):
        self.letters = 0
        self.piles = {}

    def work(self):
        while True:
            self.piles[self.letters % 5] = self.letters
            time.sleep(0.4)
