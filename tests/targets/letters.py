"""Programs that send frames, log, import and end, hung and healthy: ``letters.py NAME``."""

import importlib
import json
import logging
import logging.handlers
import os
import queue
import socket
import struct
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from ready import ready


def pack(letter, lie=0):
    data = json.dumps(letter).encode()
    return struct.pack("!I", len(data) + lie) + data


def take(sock, size):
    data = b""
    while len(data) < size:
        part = sock.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def take_letter(sock):
    (size,) = struct.unpack("!I", take(sock, 4))
    return json.loads(take(sock, size))


def serve_guest(sock, answers):
    with sock:
        while True:
            letter = take_letter(sock)
            if answers:
                time.sleep(0.2)
                sock.sendall(pack(letter))


def serve(door, answers):
    while True:
        guest, _ = door.accept()
        threading.Thread(target=serve_guest, args=(guest, answers), daemon=True).start()


def open_office(answers=True):
    door = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(door, answers), daemon=True).start()
    return door.getsockname()


class Client:
    """A thread reads the answers and gives them to who asked."""

    def __init__(self, address):
        self.sock = socket.create_connection(address)
        self.waiting = {}
        threading.Thread(target=self.read, daemon=True, name="reader").start()

    def read(self):
        while True:
            letter = take_letter(self.sock)
            asked = self.waiting.pop(letter["id"], None)
            if asked is not None:
                asked["answer"] = letter
                asked["ready"].set()

    def ask(self, number):
        asked = self.waiting[number] = {"ready": threading.Event()}
        self.sock.sendall(pack({"id": number, "kind": "question"}))
        asked["ready"].wait()
        return asked["answer"]


# -- letters -----------------------------------------------------------------------------------


def answer_left_out():
    client = Client(open_office(answers=False))
    ready()
    client.ask(1)


def letter_cut_short():
    """The office waits for the rest of a letter whose writer waits for the answer."""
    sock = socket.create_connection(open_office())
    ready()
    sock.sendall(pack({"id": 1, "kind": "question"}, lie=5))
    take_letter(sock)


def copy(source, goal):
    while True:
        part = source.recv(1000)
        if not part:
            return
        goal.sendall(part)


def carry(door, address):
    guest, _ = door.accept()
    with socket.create_connection(address) as behind:
        copy(guest, behind)
        copy(behind, guest)


def copied_one_way():
    door = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=carry, args=(door, open_office()), daemon=True).start()
    sock = socket.create_connection(door.getsockname())
    ready()
    sock.sendall(pack({"id": 1, "kind": "question"}))
    take_letter(sock)


def proxy_at_rest():
    """Healthy: nothing was sent yet, in either direction."""
    door = socket.create_server(("127.0.0.1", 0))
    guest = socket.create_connection(door.getsockname())
    accepted, _ = door.accept()
    behind = socket.create_connection(open_office())
    threading.Thread(target=copy, args=(behind, accepted), daemon=True).start()
    ready()
    copy(accepted, behind)
    guest.close()


def letters_in_turn():
    """Healthy: each answer takes a while."""
    client = Client(open_office())
    ready()
    for number in range(100_000):
        client.ask(number)


def letters_now_and_then():
    """Healthy: a sign of life every second."""
    client = Client(open_office())
    ready()
    for number in range(100_000):
        client.ask(number)
        time.sleep(1)


# -- records -----------------------------------------------------------------------------------


class Chatty(logging.Handler):
    def emit(self, record):
        time.sleep(0.1)
        logging.info("written: %s", record.msg)


class Slow(logging.Handler):
    def emit(self, record):
        time.sleep(0.2)


class Blocking(logging.handlers.QueueHandler):
    def enqueue(self, record):
        self.queue.put(record)


def log_through(handler, size):
    line = queue.Queue(size)
    logging.getLogger().setLevel(logging.INFO)
    logging.getLogger().addHandler(Blocking(line))
    logging.handlers.QueueListener(line, handler).start()
    ready()
    for number in range(100_000):
        logging.info("measured %d", number)


def listener_logs_to_its_queue():
    log_through(Chatty(), 2)


def listener_writes_slowly():
    """Healthy: the queue is full all the time, and moves."""
    log_through(Slow(), 2)


# -- modules and the end -----------------------------------------------------------------------


def write_module(name, *lines):
    folder = tempfile.mkdtemp(prefix="hangtui-test-")
    sys.path.insert(0, folder)
    with open(os.path.join(folder, name + ".py"), "w") as file:
        file.write("\n".join((*lines, "")))


def load(name):
    importlib.import_module(name)


def module_joins_its_user():
    lines = ("t = threading.Thread(target=use, name='user')", "t.start()", "t.join()")
    write_module("gauges", "import threading", "def use():", "    import gauges", *lines)
    ready()
    load("gauges")


def import_takes_its_time():
    """Healthy: another thread waits for a module whose code goes on, and so does the exit."""
    write_module("stations", "import time", "for _ in range(9999):", "    time.sleep(0.1); len('')")
    for _ in range(2):
        threading.Thread(target=load, args=("stations",)).start()
    ready()


def do_rounds():
    for _ in range(100_000):
        time.sleep(0.2)
        pack({"measured": sum(range(1000))})


def exit_waits_for_rounds():
    """Healthy: the program is what its threads do."""
    threading.Thread(target=do_rounds, name="rounds").start()
    ready()


class Registry:
    lock = threading.Lock()
    pool = ThreadPoolExecutor(1)

    @classmethod
    def get(cls, name):
        with cls.lock:
            return cls.pool.submit(cls.make, name).result()

    @classmethod
    def make(cls, name):
        return cls.get("base")


def registry_filled_in_its_pool():
    ready()
    Registry.get("gauge")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
