import os
import queue
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc

signal.alarm(120)
watchers = []
both = threading.Semaphore(0)


def watch(request, context):
    news = queue.Queue()
    watchers.append(news)
    both.release()
    while True:
        yield news.get()


def publish(request, context):
    for news in watchers:
        news.put(request)
    return b"ok"


class Feed(grpc.GenericRpcHandler):
    def service(self, details):
        if details.method == "/feed/watch":
            return grpc.unary_stream_rpc_method_handler(watch)
        return grpc.unary_unary_rpc_method_handler(publish)


def announce(channel, text):
    return channel.unary_unary("/feed/publish")(text)


if __name__ == "__main__":
    server = grpc.server(ThreadPoolExecutor(4, thread_name_prefix="rpc"), [Feed()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    channel = grpc.insecure_channel(f"127.0.0.1:{port}")
    streams = [channel.unary_stream("/feed/watch")(b"") for _ in range(2)]
    both.acquire()
    both.acquire()
    print("MARK main pid=%d" % os.getpid())
    while True:
        announce(channel, b"news")
        time.sleep(0.05)
