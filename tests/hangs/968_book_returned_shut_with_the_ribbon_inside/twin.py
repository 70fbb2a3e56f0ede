import os
import tempfile
import threading
import time

CLOSES = False


def print_books(folder):
    path = os.path.join(folder, "genes.fa")
    with open(path, "w") as book:
        for number in range(3):
            book.write(">gene%d\n" % number)
            book.writelines("ACGTTGCAACGTTGCAACGTTGCAACGTTGCA\n" for _ in range(40))
    return path


class Register:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.lock = threading.Lock()
        self.index = {}
        self.build_index()

    def build_index(self):
        while line := self.file.readline():
            if line.startswith(b">"):
                self.index[line[1:].strip().decode()] = self.file.tell()

    def fetch(self, name, start, end):
        self.lock.acquire()
        self.file.seek(self.index[name] + start)
        try:
            return self.file.read(end - start).decode()
        finally:
            self.lock.release()

    def close(self):
        self.file.close()


class Library:
    def __init__(self, path):
        self.book = Register(path)
        self.read = 0
        self.failed = 0

    def read_gene(self, name):
        return self.book.fetch(name, 10, 20)

    def compare(self, first, second):
        try:
            self.read += self.read_gene(first) == self.read_gene(second)
        except ValueError:
            self.failed += 1


def keep_time(hours):
    while True:
        time.sleep(0.3)
        hours.append(len(hours) % 24)
        del hours[:-24]


def main():
    library = Library(print_books(tempfile.mkdtemp()))
    threading.Thread(target=keep_time, args=([],), name="clock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        library.compare("gene0", "gene1")
        if CLOSES and library.read > 10:
            library.book.close()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
