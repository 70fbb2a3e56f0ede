"""Threads that wait for data from nobody: at the head of a loop, or for an answer.

The name of each thread begins with ``next`` or with ``answer``.
"""

import socket
import threading
from xmlrpc.client import ServerProxy

from ready import ready

KEPT = []
CLIENT = """
class Store:
    def __init__(self, line):
        self.line = line

    def execute_command(self, words):
        self.line.sendall(words)
        return self.line.recv(10)

    def blpop(self, name):
        return self.execute_command(b"BLPOP " + name)

    def get(self, name):
        return self.execute_command(b"GET " + name)
"""
LIBRARY = {}
exec(compile(CLIENT, "/srv/site-packages/store/client.py", "exec"), LIBRARY)  # a package's


def connection():
    ours, theirs = socket.socketpair()
    KEPT.append(theirs)
    return ours


def greeted():
    ours = connection()
    KEPT[-1].sendall(b"first")
    return ours


def next_by_line():
    with connection().makefile("rb") as file:
        for line in file:
            print(line)


def next_while():
    ours = connection()
    while True:
        message = ours.recv(10)
        if not message:
            break
        ours.sendall(message)


def next_while_something_comes():
    ours = greeted()
    while ours.recv(10):
        ours.sendall(b"thanks")


def next_in_another_branch(asks=False):
    ours = connection()
    if asks:
        ours.sendall(b"question")
        return
    while True:
        message = ours.recv(10)
        ours.sendall(message)


def receive(ours):
    head = ours.recv(4)
    return ours.recv(len(head))


def next_by_helper():
    ours = connection()
    while True:
        message = receive(ours)
        ours.sendall(message)


def answer_at_once():
    ours = connection()
    ours.sendall(b"question")
    ours.recv(10)


def answer_in_loop():
    ours = connection()
    for question in (b"one", b"two"):
        ours.sendall(question)
        ours.recv(10)


def read_whole(ours):
    data = b""
    while len(data) < 10:
        data += ours.recv(10 - len(data))
    return data


def ask(ours):
    ours.sendall(b"question")
    return read_whole(ours)


def answer_in_pieces():
    print(ask(connection()))


def answer_or_news():
    ours = connection()
    ours.sendall(b"subscribe")
    while True:
        ours.recv(10)


def answer_of_a_library():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    KEPT.append(listener)
    connection().sendall(b"subscribe")
    server = ServerProxy("http://127.0.0.1:%d/" % listener.getsockname()[1])
    while True:
        server.get_news()


def next_that_others_push():
    store = LIBRARY["Store"](connection())
    while True:
        print(store.blpop(b"jobs"))


def answer_about_a_key():
    store = LIBRARY["Store"](connection())
    while True:
        print(store.get(b"jobs"))


def answer_to_what_was_pushed():
    store = LIBRARY["Store"](connection())
    while True:
        store.line.sendall(b"RPUSH questions")
        print(store.blpop(b"answers"))


def answer_in_a_handler():
    ours = connection()
    try:
        ours.sendall(b"question")
        raise ValueError
    except ValueError:
        while True:
            ours.recv(10)


def prepare(ours):
    return ours


def answer_after_more():
    ours = connection()
    for _ in range(3):
        exchange(ours)


def exchange(ours):
    prepared = prepare(ours)
    return prepared.recv(10)


def main():
    for function in (
        next_by_line,
        next_while,
        next_while_something_comes,
        next_by_helper,
        next_in_another_branch,
        answer_at_once,
        answer_in_loop,
        answer_in_pieces,
        answer_or_news,
        answer_in_a_handler,
        answer_of_a_library,
        answer_after_more,
        next_that_others_push,
        answer_about_a_key,
        answer_to_what_was_pushed,
    ):
        threading.Thread(target=function, name=function.__name__).start()
    ready()


main()
