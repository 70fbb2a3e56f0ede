"""Programs that have nothing to do, each with a twin that looks like it and hangs:
``rests.py NAME``. They run under CPython 3.7 and newer."""

import asyncio
import http.server
import os
import queue
import signal
import socket
import socketserver
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from ready import ready


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers at once, or never."""

    def do_GET(self):
        if self.path == "/hang":
            ready()
            self.wait_for_ever()
        self.send_response(200)
        self.end_headers()

    def wait_for_ever(self):
        threading.Event().wait()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def http_server():
    """It waits for clients."""
    server = Server(("127.0.0.1", 0), Answers)
    threading.Thread(target=lambda: (ask(server, "/"), ready()), daemon=True).start()
    server.serve_forever()


def http_handler_hangs():
    """One of its handlers waits for what never comes."""
    server = Server(("127.0.0.1", 0), Answers)
    client = socket.create_connection(server.server_address)
    client.sendall(b"GET /hang HTTP/1.0\r\n\r\n")
    server.serve_forever()


def ask(server, path):
    urllib.request.urlopen("http://127.0.0.1:%d%s" % (server.server_address[1], path)).read()


def pool():
    """Its workers have done all."""
    workers = ThreadPoolExecutor(3)
    list(workers.map(str, range(9)))
    ready()
    time.sleep(600)


def serves_in_a_pool():
    """A worker of it serves until the program is stopped, and its main thread waits for that."""
    with ThreadPoolExecutor(1) as workers:
        serving = workers.submit(greet, socket.create_server(("127.0.0.1", 0)))
        ready()
        serving.result()


def greet(listener):
    while True:
        listener.accept()[0].close()


def pool_task_hangs():
    """One of its workers waits for an item within a task."""
    workers = ThreadPoolExecutor(3)
    workers.submit(queue.Queue().get)
    workers.submit(lambda: take(queue.Queue()))
    ready()
    time.sleep(600)


def take(items):
    return items.get()


def consumers():
    """Threads that take items, and do nothing else, of a service that a signal ends."""
    items = queue.Queue()
    for number in range(3):
        threading.Thread(
            target=consume, args=(items,), name="consumer-%d" % number, daemon=True
        ).start()
    ready()
    signal.pause()


def consume(items):
    while True:
        items.get()


def consumer_waits_within():
    """A thread that waits for one item in the midst of its work."""
    threading.Thread(target=work, args=(queue.Queue(),), name="consumer", daemon=True).start()
    ready()
    signal.pause()


def work(items):
    return take(items) + 1


def streams():
    """An event loop that waits for clients."""
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(serve())


async def serve():
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    ready()
    async with server:
        await server.serve_forever()


def streams_kept_open():
    """The same, kept open by what nobody was meant to end."""
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(serve_on())


async def serve_on():
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    ready()
    await asyncio.get_event_loop().create_future()
    server.close()


def streams_kept_open_hangs():
    """Somebody was meant to end it: the program has kept what it waits for."""
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(serve_until([]))


async def serve_until(closing):
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    closing.append(asyncio.get_event_loop().create_future())
    ready()
    await closing[0]
    server.close()


def streams_task_hangs():
    """An event loop that waits for clients, while a task of its own waits for ever."""
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(serve_and_wait())


async def serve_and_wait():
    never = asyncio.get_event_loop().create_future()
    task = asyncio.ensure_future(refresh(never))
    await serve()
    await task


async def refresh(never):
    await never


def sleeps():
    """It keeps the process there, in a loop without an end."""
    threading.Thread(target=consume, args=(queue.Queue(),), daemon=True).start()
    ready()
    try:
        while True:
            time.sleep(0.02)
    except KeyboardInterrupt:
        print("stopped")


def sleeps_once():
    """It goes on by itself."""
    ready()
    time.sleep(Pause.seconds)


class Pause:
    seconds = 600


def polls_what_fails():
    """It comes back to its sleep by an exception alone."""
    ready()
    ask_again()


def ask_again():
    while True:
        try:
            return answer()
        except OSError:
            time.sleep(0.2)


def polls_what_fails_in_a_helper():
    """The same, and the sleep is in a function."""
    ready()
    while True:
        try:
            return answer()
        except OSError:
            back_off()


def back_off():
    time.sleep(5)


def answer():
    raise OSError


def polls_in_a_helper():
    """The loop is not where it sleeps."""
    done = []
    ready()
    while not done:
        pause()


def pause():
    time.sleep(2)  # longer than one look takes on a busy machine


def polls_seldom():
    """A single look meets the same sleep as that of a program at rest."""
    ready()
    wait_for_the_file("/nonexistent/flag")


def wait_for_the_file(name):
    while not os.path.exists(name):
        time.sleep(5)


def polls_in_a_task():
    """A task asks again and again."""
    asyncio.run(ask_and_report())


async def ask_and_report():
    ready()
    await until_loaded([])


def polls_in_the_first_task():
    """What was given to asyncio.run asks seldom."""
    asyncio.run(until_there("/nonexistent/flag"))


async def until_there(name):
    ready()
    while not os.path.exists(name):
        await asyncio.sleep(1.5)


def sleeps_in_the_first_task():
    """It keeps the loop alive, and looks for nothing."""
    asyncio.run(keep_open())


async def keep_open():
    ready()
    try:
        await park()
    finally:
        print("closed")


async def park():
    while True:
        await asyncio.sleep(3600)


def tries_again_in_the_first_task():
    """What it sleeps for is that somebody else listens."""
    asyncio.run(until_it_listens())


async def until_it_listens():
    ready()
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", 1)
        except OSError:
            await asyncio.sleep(1.5)


def polls_by_a_condition_of_the_first_task():
    """CPython 3.10 and later have the first turn of such a loop before it."""
    asyncio.run(until_somebody_is_there())


async def until_somebody_is_there():
    ready()
    while not await is_there():
        pass


async def is_there():
    await asyncio.sleep(1000)
    return os.path.exists("/nonexistent/flag")


async def until_loaded(loaded):
    while not loaded:
        await asyncio.sleep(0.05)


def polls():
    """It asks again and again."""
    ready()
    wait_until_done([])


def wait_until_done(done):
    while not done:
        time.sleep(0.02)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
