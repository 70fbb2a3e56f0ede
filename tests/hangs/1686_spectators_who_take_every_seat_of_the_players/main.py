import multiprocessing as mp
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc


class Board:
    def __init__(self):
        self.moved = threading.Condition()
        self.moves = 0

    def watch(self, request, context):
        seen = 0
        while True:
            with self.moved:
                while self.moves == seen:
                    self.moved.wait()
                seen = self.moves
            yield b"%d" % seen

    def play(self, request, context):
        with self.moved:
            self.moves += 1
            self.moved.notify_all()
        return b"%d" % self.moves


def club(port, ready):
    board = Board()
    server = grpc.server(ThreadPoolExecutor(SEATS, thread_name_prefix="seat"))
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(
                "Board",
                {
                    "Watch": grpc.unary_stream_rpc_method_handler(board.watch),
                    "Play": grpc.unary_unary_rpc_method_handler(board.play),
                },
            ),
        )
    )
    port.value = server.add_insecure_port("127.0.0.1:0")
    server.start()
    ready.set()
    server.wait_for_termination()


def look_on(port, seated):
    channel = grpc.insecure_channel("127.0.0.1:%d" % port)
    moves = channel.unary_stream("/Board/Watch")(b"")
    seated.release()
    for _move in moves:
        pass


class Player:
    def __init__(self, port):
        self.channel = grpc.insecure_channel("127.0.0.1:%d" % port)
        self.play = self.channel.unary_unary("/Board/Play")

    def move(self):
        return self.play(b"e4")


SEATS = 2


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    port, ready, seated = spawn.Value("i", 0), spawn.Event(), spawn.Semaphore(0)
    spawn.Process(target=club, args=(port, ready), name="club", daemon=True).start()
    ready.wait()
    for number in range(2):
        spawn.Process(
            target=look_on, args=(port.value, seated), name="spectator-%d" % number, daemon=True
        ).start()
    for _ in range(2):
        seated.acquire()
    time.sleep(1)
    player = Player(port.value)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        player.move()
        time.sleep(0.1)
