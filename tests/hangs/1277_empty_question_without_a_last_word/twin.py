import multiprocessing
import os
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc


class Sender:
    def __init__(self):
        self.sent = queue.Queue()

    def send(self, part):
        self.sent.put(part)

    def close(self):
        self.sent.put(None)

    def responses(self):
        while (part := self.sent.get()) is not None:
            yield part


class Model:
    def __init__(self):
        self.requests = queue.Queue()
        threading.Thread(target=self.execute, name="instance-0", daemon=True).start()

    def execute(self):
        while True:
            question, sender = self.requests.get()
            self.answer(question.decode().split(), sender)

    def answer(self, words, sender):
        if not words:
            if ENDS_EMPTY:
                sender.close()
            return
        for word in words:
            sender.send(word.upper().encode())
        sender.close()

    def infer(self, question, context):
        sender = Sender()
        self.requests.put((question, sender))
        yield from sender.responses()


def serve(ports):
    model = Model()
    handlers = {"Infer": grpc.unary_stream_rpc_method_handler(model.infer)}
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("model.Speech", handlers),)
    )
    ports.put(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    server.wait_for_termination()


def ask(infer, question):
    return [part.decode() for part in infer(question)]


def ask_all(infer):
    for question in (b"good morning", b"how are you", b"", b"good night"):
        ask(infer, question)


def main():
    context = multiprocessing.get_context("spawn")
    ports = context.Queue()
    context.Process(target=serve, args=(ports,), name="model-server", daemon=True).start()
    channel = grpc.insecure_channel("127.0.0.1:%d" % ports.get())
    infer = channel.unary_stream("/model.Speech/Infer")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        ask_all(infer)
        time.sleep(0.05)


ENDS_EMPTY = True


if __name__ == "__main__":
    main()
