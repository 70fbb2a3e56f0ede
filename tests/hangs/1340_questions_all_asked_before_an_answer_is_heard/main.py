import multiprocessing
import os
import queue
from concurrent import futures

import grpc

METHOD = "/encoder.Encoder/Embed"
SIZE = 32 * 1024


class Encoder(grpc.GenericRpcHandler):
    def service(self, details):
        if details.method == METHOD:
            return grpc.stream_stream_rpc_method_handler(self.embed)
        return None

    def embed(self, pages, context):
        for page in pages:
            yield page[::-1]


def serve(ports):
    server = grpc.server(futures.ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((Encoder(),))
    ports.put(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    server.wait_for_termination()


class Session:
    def __init__(self, channel):
        self.outgoing = queue.Queue(8)
        self.answers = channel.stream_stream(METHOD)(self.pages())
        self.waiting = 0

    def pages(self):
        while True:
            page = self.outgoing.get()
            if page is None:
                return
            yield page

    def ask(self, page):
        self.outgoing.put(page)
        self.waiting += 1

    def hear(self):
        answer = next(self.answers)
        self.waiting -= 1
        return answer


def embed_all(session, count):
    page = b"x" * SIZE
    vectors = []
    for number in range(count):
        session.ask(page)
        if session.waiting >= BEFORE:
            vectors.append(len(session.hear()))
    while session.waiting:
        vectors.append(len(session.hear()))
    return vectors


def main():
    context = multiprocessing.get_context("spawn")
    ports = context.Queue()
    context.Process(target=serve, args=(ports,), name="encoder", daemon=True).start()
    channel = grpc.insecure_channel("127.0.0.1:%d" % ports.get())
    grpc.channel_ready_future(channel).result()
    session = Session(channel)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        embed_all(session, 500)


BEFORE = 400


if __name__ == "__main__":
    main()
