import multiprocessing as mp
import os
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc


def take_pictures(requests, context):
    total = 0
    for picture in requests:
        total += len(picture)
    return b"%d" % total


def album(port, ready):
    server = grpc.server(ThreadPoolExecutor(2))
    handler = grpc.stream_unary_rpc_method_handler(take_pictures)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("Album", {"Fill": handler}),)
    )
    port.value = server.add_insecure_port("127.0.0.1:0")
    server.start()
    ready.set()
    server.wait_for_termination()


def camera(shots, rolls):
    while True:
        count = shots.get()
        for number in range(count):
            rolls.put(b"p" * (100 + number))
        if MARKED:
            rolls.put(None)


class Courier:
    def __init__(self, port, rolls):
        self.channel = grpc.insecure_channel("127.0.0.1:%d" % port)
        self.fill = self.channel.stream_unary("/Album/Fill")
        self.rolls = rolls
        self.basket = queue.Queue()
        threading.Thread(target=self.carry, name="carrier", daemon=True).start()

    def carry(self):
        while True:
            self.basket.put(self.rolls.get())

    def pictures(self):
        while True:
            picture = self.basket.get()
            if picture is None:
                return
            yield picture

    def deliver(self):
        return self.fill(self.pictures())


def day(courier, shots):
    while True:
        shots.put(5)
        courier.deliver()
        time.sleep(0.2)


MARKED = True


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    port, ready = spawn.Value("i", 0), spawn.Event()
    shots, rolls = spawn.Queue(), spawn.Queue()
    spawn.Process(target=album, args=(port, ready), name="album", daemon=True).start()
    ready.wait()
    spawn.Process(target=camera, args=(shots, rolls), name="camera", daemon=True).start()
    courier = Courier(port.value, rolls)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day(courier, shots)
