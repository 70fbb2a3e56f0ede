import json
import multiprocessing
import os
import socket
import time

NAMES = ("Anna", "Bert", "Clara", "Jürgen", "Dora")


class Desk:
    """One end of a line of letters: their length, then their text."""

    def __init__(self, line):
        self.line = line
        self.paper = line.makefile("rb")

    def post(self, letter):
        text = json.dumps(letter, ensure_ascii=False).encode()
        length = len(json.dumps(letter)) if AS_ESCAPED else len(text)
        self.line.sendall(b"%08d" % length + text)

    def fetch(self):
        length = int(self.paper.read(8))
        return json.loads(self.paper.read(length))


class Scribe:
    def __init__(self, line):
        self.desk = Desk(line)
        self.book = {}

    def number_words(self, words):
        return [self.book.setdefault(word, len(self.book)) for word in words]

    def serve(self):
        while True:
            letter = self.desk.fetch()
            self.desk.post({"numbers": self.number_words(letter["text"].split())})


class Printer:
    def __init__(self, line):
        self.desk = Desk(line)

    def serve(self):
        while True:
            letter = self.desk.fetch()
            time.sleep(0.005)
            self.desk.post({"pages": sum(letter["numbers"])})


def run_scribe(line):
    Scribe(line).serve()


def run_printer(line):
    Printer(line).serve()


def bring_up(target, name):
    ours, theirs = socket.socketpair()
    multiprocessing.get_context("spawn").Process(
        target=target, args=(theirs,), name=name, daemon=True
    ).start()
    return Desk(ours)


class House:
    def __init__(self):
        self.scribe = bring_up(run_scribe, "scribe")
        self.printer = bring_up(run_printer, "printer")

    def publish(self, name):
        self.scribe.post({"text": "%s came to see us and left" % name})
        numbers = self.scribe.fetch()
        self.printer.post(numbers)
        return self.printer.fetch()["pages"]


def main():
    house = House()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        house.publish(NAMES[day // 20 % len(NAMES)])
        day += 1


AS_ESCAPED = False


if __name__ == "__main__":
    main()
