import multiprocessing as mp
import os
import socket
import threading
import time

import anyio.to_thread
import fastapi
import requests
import uvicorn


class Counter:
    def __init__(self, orders):
        self.orders = orders
        self.plates = {}

    def serve(self, number: int):
        ready = self.plates[number] = threading.Event()
        self.orders.put(number)
        ready.wait()
        return {"plate": number}

    def finished(self, number: int):
        self.plates.pop(number).set()
        return {"taken": number}


def counter(door, orders):
    desk = Counter(orders)
    app = fastapi.FastAPI()
    app.get("/serve/{number}")(desk.serve)
    app.post("/finished/{number}")(desk.finished)

    @app.on_event("startup")
    async def hatches():
        anyio.to_thread.current_default_thread_limiter().total_tokens = HATCHES

    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    server.run(sockets=[door])


def cook(address, orders):
    while True:
        number = orders.get()
        time.sleep(0.02)
        report(address, number)


def report(address, number):
    return requests.post("%s/finished/%d" % (address, number))


def dine(address, number):
    while True:
        requests.get("%s/serve/%d" % (address, number))
        time.sleep(0.05)


HATCHES = 4


if __name__ == "__main__":
    fork = mp.get_context("fork")
    orders = fork.Queue()
    door = socket.create_server(("127.0.0.1", 0))
    address = "http://127.0.0.1:%d" % door.getsockname()[1]
    fork.Process(target=counter, args=(door, orders), name="counter", daemon=True).start()
    fork.Process(target=cook, args=(address, orders), name="cook", daemon=True).start()
    door.close()
    time.sleep(3)
    guests = [
        threading.Thread(target=dine, args=(address, number), name="guest-%d" % number)
        for number in range(6)
    ]
    for guest in guests:
        guest.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for guest in guests:
        guest.join()
