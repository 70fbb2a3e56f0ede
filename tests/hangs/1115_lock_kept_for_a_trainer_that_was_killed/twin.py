import multiprocessing
import os
import socket
import tempfile
import threading
import time


class LockServer:
    def __init__(self, path):
        self.lock = threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()

    def serve(self):
        number = 0
        while True:
            client, _ = self.listener.accept()
            name = "lock-client-%d" % number
            threading.Thread(target=self.attend, args=(client,), name=name, daemon=True).start()
            number += 1

    def attend(self, client):
        held = False
        while command := client.recv(1):
            if command == b"A":
                self.lock.acquire()
                held = True
            else:
                self.lock.release()
                held = False
            client.sendall(b"+")
        if held and ORDERLY:
            self.lock.release()


class SharedLock:
    def __init__(self, path):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(path)

    def call(self, command):
        self.server.sendall(command)
        return self.server.recv(1)

    def __enter__(self):
        self.call(b"A")

    def __exit__(self, *exception):
        self.call(b"R")


def save_to_memory(lock, saving):
    with lock:
        saving.set()
        time.sleep(0.1)


def train(path, steps, saving):
    lock = SharedLock(path)
    for _ in range(steps):
        save_to_memory(lock, saving)
        time.sleep(0.01)


def run_trainers(path):
    number = 0
    while True:
        saving = multiprocessing.Event()
        trainer = multiprocessing.Process(
            target=train, args=(path, 5, saving), name="trainer-%d" % number
        )
        trainer.start()
        if number % 2 == 0:
            saving.wait()
            trainer.kill()
        trainer.join()
        number += 1


ORDERLY = True


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    path = os.path.join(tempfile.mkdtemp(prefix="agent-"), "lock")
    server = LockServer(path)
    threading.Thread(target=server.serve, name="lock-server", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_trainers(path)
