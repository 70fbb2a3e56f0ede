import itertools
import os
import queue
import threading
import time


class Stream:
    def __init__(self, prompt, length):
        self.prompt = prompt
        self.left = length
        self.tokens = queue.Queue(8)


class Engine:
    def __init__(self):
        self.new = queue.Queue()
        self.running = []

    def generate(self, prompt, length):
        stream = Stream(prompt, length)
        self.new.put(stream)
        while True:
            token = stream.tokens.get()
            if token is None:
                return
            yield token

    def step(self):
        for stream in list(self.running):
            stream.left -= 1
            stream.tokens.put("%s-%d" % (stream.prompt, stream.left))
            if not stream.left:
                stream.tokens.put(None)
                self.running.remove(stream)

    def run(self):
        while True:
            while not self.running or not self.new.empty():
                self.running.append(self.new.get())
            self.step()
            time.sleep(0.002)


def answer(engine, prompt, length, patience):
    told = []
    for token in engine.generate(prompt, length):
        told.append(token)
        if len(told) >= patience:
            break
    return told


def read_along(engine):
    for number in itertools.count():
        answer(engine, "story-%d" % number, 30, PATIENCE)
        time.sleep(0.05)


def chat(engine):
    while True:
        answer(engine, "chat", 60, 100)
        time.sleep(0.01)


PATIENCE = 5


if __name__ == "__main__":
    engine = Engine()
    threading.Thread(target=engine.run, name="engine", daemon=True).start()
    threading.Thread(target=chat, args=(engine,), name="chat", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    read_along(engine)
