import os
import sys
import threading


class Doorbook:
    """Notes which papers were opened, by an audit hook of the interpreter."""

    def __init__(self, house, page_length):
        self.house = house
        self.page_length = page_length
        self.lock = threading.Lock()
        self.page = open(os.path.join(house, "doorbook.0"), "w")
        self.pages = 1
        self.lines = 0

    def lay_out(self):
        sys.addaudithook(self.note)

    def note(self, event, args):
        if event != "open" or not str(args[0]).startswith(self.house):
            return
        with self.lock:
            self.page.write("%s\n" % args[0])
            self.lines += 1
            if self.page_length and self.lines >= self.page_length:
                self.turn()

    def turn(self):
        self.page.close()
        self.page = open(os.path.join(self.house, "doorbook.%d" % self.pages), "w")
        self.pages += 1
        self.lines = 0
