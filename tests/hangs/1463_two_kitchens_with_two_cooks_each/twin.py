import multiprocessing
import os
import tempfile
import threading
import time
from concurrent import futures

import grpc


def pack(value):
    return repr(value).encode()


def unpack(data):
    return eval(data, {})


def serve(address, service, methods, threads):
    server = grpc.server(futures.ThreadPoolExecutor(threads, thread_name_prefix=service))
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(method, unpack, pack)
        for name, method in methods.items()
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    server.add_insecure_port(address)
    server.start()
    return server


def call(channel, method):
    return channel.unary_unary(method, request_serializer=pack, response_deserializer=unpack)


class Router:
    """Plans an answer and looks up documents for whoever asks."""

    def __init__(self, writer_at):
        self.write = call(grpc.insecure_channel(writer_at), "/Writer/Write")
        self.documents = {number: "document %d" % number for number in range(16)}

    def answer(self, question, context):
        return self.write((question, [question % 16, (question + 5) % 16]))

    def document(self, number, context):
        time.sleep(0.002)
        return self.documents[number]


class Writer:
    def __init__(self, router_at):
        self.document = call(grpc.insecure_channel(router_at), "/Router/Document")

    def gather(self, numbers):
        return [self.document(number) for number in numbers]

    def write(self, order, context):
        question, numbers = order
        time.sleep(0.002)
        return "%d: %s" % (question, "; ".join(self.gather(numbers)))


def run_router(address, other):
    router = Router(other)
    methods = {"Answer": router.answer, "Document": router.document}
    serve(address, "Router", methods, THREADS).wait_for_termination()


def run_writer(address, other):
    writer = Writer(other)
    serve(address, "Writer", {"Write": writer.write}, 2).wait_for_termination()


class Visitors:
    def __init__(self, router_at):
        self.channel = grpc.insecure_channel(router_at)
        self.ask = call(self.channel, "/Router/Answer")
        self.asked = 0

    def visit(self, first):
        question = first
        while True:
            self.ask(question, wait_for_ready=True)
            self.asked += 1
            question += 7
            time.sleep(0.01)


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="kitchens-")
    router_at, writer_at = ["unix:%s/%s" % (folder, name) for name in ("router", "writer")]
    for name, args in (("router", (router_at, writer_at)), ("writer", (writer_at, router_at))):
        target = run_router if name == "router" else run_writer
        spawn.Process(target=target, args=args, name=name, daemon=True).start()
    visitors = Visitors(router_at)
    visits = [
        threading.Thread(target=visitors.visit, args=(number,), name="visitor-%d" % number)
        for number in range(2)
    ]
    for visit in visits:
        visit.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for visit in visits:
        visit.join()


THREADS = 6


if __name__ == "__main__":
    main()
