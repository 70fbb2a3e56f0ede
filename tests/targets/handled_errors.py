"""Programs that wait while they handle an error.

Usage: handled_errors.py leaving_with|in_finally|between_tries|in_task|nothing_there|handled_before
       handled_errors.py taken
"""

import asyncio
import concurrent.futures
import os
import queue
import sys
import threading
import time

from ready import ready

GATE = threading.Event()
TEXT = "HTTPConnectionPool(host='127.0.0.1', port=4711): retries of /orders?key=secret"


class NoSuchOrderError(Exception):
    """Raised by `load_order`."""


def connect():
    try:
        raise ConnectionRefusedError(111, "no")
    except OSError as error:
        raise ValueError(TEXT) from error


def load_order():
    try:
        connect()
    except ValueError as error:
        raise NoSuchOrderError(ValueError(TEXT)) from error


def leaving_with():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pool.submit(GATE.wait)
        load_order()


def in_finally():
    try:
        load_order()
    finally:
        GATE.wait()


def between_tries():
    while True:
        try:
            load_order()
            break
        except NoSuchOrderError:
            time.sleep(0.2)


def in_task():
    async def serve():
        try:
            load_order()
        except NoSuchOrderError:
            await asyncio.Event().wait()

    asyncio.run(serve())


def nothing_there():
    orders = queue.Queue()
    while True:
        try:
            orders.get_nowait()
        except queue.Empty:
            time.sleep(0.2)


def take():
    try:
        os.link(os.path.join(os.path.dirname(__file__), "ready.py"), __file__)
    except FileExistsError:
        raise ValueError(TEXT) from None


def taken():
    while True:
        try:
            take()
        except ValueError:
            time.sleep(0.2)


def handled_before():
    try:
        load_order()
    except NoSuchOrderError:
        pass
    GATE.wait()


threading.Timer(0.3, ready).start()
globals()[sys.argv[1]]()
