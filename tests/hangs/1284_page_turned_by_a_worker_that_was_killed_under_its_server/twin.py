import multiprocessing
import os
import signal
import threading
import time
from multiprocessing import connection


def turn_pages(pipe):
    while True:
        book = pipe.recv()
        for page in range(book["pages"]):
            time.sleep(0.01)
            pipe.send((book["name"], page))
        pipe.send((book["name"], None))


class Server:
    def __init__(self):
        self.pages = {}
        self.turned = threading.Condition()
        self.workers = {}
        self.reading = None
        for number in range(2):
            mine, theirs = multiprocessing.Pipe()
            worker = multiprocessing.Process(
                target=turn_pages, args=(theirs,), name="page-%d" % number, daemon=True
            )
            worker.start()
            theirs.close()
            self.workers[mine] = worker
        threading.Thread(target=self.receive, name="receiver", daemon=True).start()

    def receive(self):
        while self.workers:
            for pipe in connection.wait(list(self.workers)):
                try:
                    name, page = pipe.recv()
                except EOFError:
                    del self.workers[pipe]
                    continue
                with self.turned:
                    self.pages.setdefault(name, []).append(page)
                    self.turned.notify_all()

    def read(self, name, number):
        pipe = list(self.workers)[number % len(self.workers)]
        pipe.send({"name": name, "pages": 5})
        self.reading = self.workers[pipe]
        yield from self.follow_pages(name)

    def follow_pages(self, name):
        read = 0
        while True:
            with self.turned:
                self.turned.wait_for(lambda: len(self.pages.get(name, ())) > read)
                page = self.pages[name][read]
            if page is None:
                return
            read += 1
            yield page


def watch(server, worker):
    time.sleep(1.5)
    while server.reading is not worker:
        time.sleep(0.005)
    if KILLED:
        os.kill(worker.pid, signal.SIGKILL)


def read_along(server):
    for number in range(10**9):
        for page in server.read("book-%d" % number, number):
            pass


KILLED = False


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    server = Server()
    second = list(server.workers.values())[1]
    threading.Thread(target=watch, args=(server, second), name="memory-guard", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    read_along(server)
