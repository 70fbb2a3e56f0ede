import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import ollama

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

MODEL = "tired"


class Waiter:
    def __init__(self, port):
        self.model = ollama.Client("http://127.0.0.1:%d" % port)
        self.one_at_a_time = threading.Lock()

    def answer(self, question):
        with self.one_at_a_time:
            parts = self.model.chat(
                MODEL, messages=[{"role": "user", "content": question}], stream=True
            )
            return " ".join(part.message.content for part in parts)

    def serve(self, questions):
        with ThreadPoolExecutor(2, thread_name_prefix="guest") as guests:
            return list(guests.map(self.answer, questions))


if __name__ == "__main__":
    waiter = Waiter(start("chat_model_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(waiter.serve(["Is there tea?", "Is there jam?"]))
