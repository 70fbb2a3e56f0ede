"""Waits for what nobody holds, whose only possible wakers wait as well: ``wakers.py NAME``.

With ``NAME healthy`` the same program gets on: a waker is free.
"""

import asyncio
import collections
import concurrent.futures
import contextlib
import http.server
import queue
import sys
import threading
import time
import urllib.request

from ready import ready

HEALTHY = sys.argv[2:] == ["healthy"]
STEP_S = 0.02
"""What a free waker rests between two times."""


class Mailbox:
    """A box that is guarded by a lock of its office, outside of its own condition."""

    def __init__(self):
        self.office = threading.Lock()
        self.arrived = threading.Condition()
        self.letters = []

    def fetch(self):
        if HEALTHY:
            return self.take()
        with self.office:
            return self.take()

    def take(self):
        with self.arrived:
            while not self.letters:
                self.arrived.wait()  # waits nested_monitor
            return self.letters.pop()

    def deliver(self, letter):
        with self.office:  # stands nested_monitor
            with self.arrived:
                self.letters.append(letter)
                self.arrived.notify()


def rest():
    """Before a free waker does it again."""
    if HEALTHY:
        time.sleep(STEP_S)


def start(name, function, *arguments):
    thread = threading.Thread(target=function, args=arguments, name=name, daemon=True)
    thread.start()
    return thread


def await_line(thread, function):
    """Until *thread* is in a function of that name; a healthy one does not stay there."""
    if HEALTHY:
        return
    while True:
        frame = sys._current_frames().get(thread.ident)
        while frame is not None and frame.f_code.co_name != function:
            frame = frame.f_back
        if frame is not None:
            return
        time.sleep(0.001)


def nested_monitor():
    box = Mailbox()

    def postman():
        while True:
            rest()
            box.deliver("hello")

    def reader():
        while True:
            box.fetch()

    reading = start("reader", reader)
    await_line(reading, "wait")
    start("postman", postman)
    ready()
    reading.join()


def crossed_queues():
    there, back = queue.Queue(2), queue.Queue(2)

    def parse():
        while True:
            rest()
            for _ in range(1 if HEALTHY else 3):
                there.put("row")  # parser puts
            back.get()

    def store():
        while True:
            for _ in range(1 if HEALTHY else 3):
                back.put("done")  # storer puts
            there.get()

    parser, storer = start("parser", parse), start("storer", store)
    await_line(parser, "put")
    await_line(storer, "put")
    ready()
    parser.join()


def iterated_queues():
    there, back = queue.Queue(2), queue.Queue(2)

    def stage(inbox, outbox):
        for row in iter(inbox.get, None):
            rest()
            for _ in range(1 if HEALTHY else 3):
                outbox.put(row)  # stages wait

    stages = [start("there", stage, there, back), start("back", stage, back, there)]
    there.put("row")
    back.put("row")
    for thread in stages:
        await_line(thread, "put")
    ready()
    stages[0].join()


def barrier():
    meeting, table = threading.Barrier(2), threading.Lock()

    def first():
        while True:
            if HEALTHY:
                meeting.wait()
            else:
                with table:
                    meeting.wait()  # waits barrier

    def second():
        while True:
            rest()
            with table:  # stands barrier
                pass
            meeting.wait()

    early = start("early", first)
    await_line(early, "wait")
    late = start("late", second)
    ready()
    late.join()


def event_setter():
    loaded, table = threading.Event(), threading.RLock()

    def load():
        while True:
            rest()
            with table:  # stands event_setter
                loaded.set()

    def use():
        while True:
            if HEALTHY:
                loaded.wait()
            else:
                with table:
                    loaded.wait()  # waits event_setter
            time.sleep(STEP_S)

    user = start("user", use)
    await_line(user, "wait")
    start("loader", load)
    ready()
    user.join()


def semaphore():
    slots, log = threading.Semaphore(1), threading.Lock()
    slots.acquire()

    def finish(units):
        units.release()

    def work():
        while True:
            rest()
            with log:  # stands semaphore
                pass
            finish(slots)

    def ask():
        while True:
            if HEALTHY:
                slots.acquire()
            else:
                with log:
                    slots.acquire()  # waits semaphore

    asker = start("asker", ask)
    await_line(asker, "acquire")
    start("finisher", work)
    ready()
    asker.join()


def join_consumer():
    jobs = queue.Queue()

    def consume():
        while jobs.get() is not None:  # waits join_consumer
            pass

    consumer = start("consumer", consume)
    jobs.put("first")
    await_line(consumer, "get")
    ready()
    while HEALTHY:
        jobs.put("next")
        time.sleep(STEP_S)
    consumer.join()  # stands join_consumer
    jobs.put(None)


def producer_busy():
    jobs = queue.Queue()
    answers = queue.Queue()

    def produce():
        while True:
            answer = answers.get() if not HEALTHY else time.sleep(STEP_S)  # producer stands
            jobs.put(answer)

    start("producer", produce)
    ready()
    while True:
        jobs.get()  # waits producer_busy


def crawlers():
    frontier = queue.Queue(4)

    def crawl():
        while True:
            url = frontier.get()
            rest()
            for _ in range(3):
                frontier.put(url)  # crawlers wait
            frontier.task_done()

    def drop():
        while HEALTHY:
            time.sleep(STEP_S / 4)
            frontier.get()

    frontier.put("first")
    threads = [start("crawler-%d" % number, crawl) for number in range(2)]
    start("dropper", drop)
    for thread in threads:
        await_line(thread, "put")
    ready()
    threads[0].join()


def listed_queues():
    links = [queue.Queue(2), queue.Queue(2)]

    def stage(own):
        while True:
            rest()
            for _ in range(1 if HEALTHY else 3):
                links[1 - own].put("row")  # stages wait
            inbox = links[own]
            inbox.get()

    stages = [start("stage-%d" % number, stage, number) for number in range(2)]
    for thread in stages:
        await_line(thread, "put")
    ready()
    stages[0].join()


class Limiter:
    """Keeps a semaphore in a slot."""

    __slots__ = ("units",)

    def __init__(self):
        self.units = threading.BoundedSemaphore(1)

    def enter(self):
        self.units.acquire()

    def leave(self):
        self.units.release()


def limiter():
    uploads, journal, inside = Limiter(), threading.Lock(), threading.Event()

    def upload():
        while True:
            uploads.enter()
            inside.set()
            rest()
            note()
            uploads.leave()

    def note():
        while not HEALTHY and not journal.locked():
            time.sleep(0.001)
        with journal:  # uploader stands
            pass

    def once():
        uploads.enter()
        uploads.leave()

    def save():
        inside.wait()
        while True:
            if HEALTHY:
                once()
            else:
                with journal:
                    once()
            rest()

    start("uploader", upload)
    saver = start("saver", save)
    await_line(saver, "enter")
    ready()
    saver.join()


def generator():
    free, journal = threading.Event(), threading.Lock()

    @contextlib.contextmanager
    def upload():
        yield
        free.set()

    def work():
        while True:
            with upload():
                rest()
                with journal:  # uploader stands
                    pass

    def save():
        while True:
            if HEALTHY:
                free.wait()
            else:
                with journal:
                    free.wait()
            rest()

    saver = start("saver", save)
    await_line(saver, "wait")
    start("uploader", work)
    ready()
    saver.join()


def async_queues():
    async def main():
        there, back = asyncio.Queue(2), asyncio.Queue(2)

        async def parse():
            while True:
                if HEALTHY:
                    await asyncio.sleep(STEP_S)
                for _ in range(1 if HEALTHY else 3):
                    await there.put("row")
                await back.get()

        async def store():
            while True:
                for _ in range(1 if HEALTHY else 3):
                    await back.put("done")
                await there.get()

        tasks = [asyncio.ensure_future(parse()), asyncio.ensure_future(store())]
        asyncio.get_event_loop().call_later(0.2, ready)
        await asyncio.gather(*tasks)

    asyncio.get_event_loop().run_until_complete(main())


def async_event():
    async def main():
        loaded, table = asyncio.Event(), asyncio.Lock()

        async def load():
            while True:
                await asyncio.sleep(STEP_S)
                async with table:
                    loaded.set()

        async def use():
            while True:
                if HEALTHY:
                    await loaded.wait()
                    await asyncio.sleep(STEP_S)
                else:
                    async with table:
                        await loaded.wait()

        tasks = [asyncio.ensure_future(use()), asyncio.ensure_future(load())]
        asyncio.get_event_loop().call_later(0.2, ready)
        await asyncio.gather(*tasks)

    asyncio.get_event_loop().run_until_complete(main())


def own_result():
    """A batch loads what only the same batch is to bring."""

    async def main():
        kept, batches = {}, set()

        def load(key):
            if key not in kept:
                kept[key] = asyncio.get_event_loop().create_future()
                batch = asyncio.ensure_future(dispatch([(key, kept[key])]))
                batches.add(batch)
                batch.add_done_callback(batches.discard)
            return kept[key]

        async def find(key):
            await asyncio.sleep(STEP_S)
            return await load(0 if HEALTHY and key else key) if key else "root"

        async def dispatch(batch):
            found = [await find(key) for key, _ in batch]
            for (key, future), value in zip(batch, found):
                del kept[key]
                future.set_result(value)

        asyncio.get_event_loop().call_later(0.2, ready)
        while True:
            await load(1)

    asyncio.get_event_loop().run_until_complete(main())


def wrapped():
    """What sets the event is called through wrappers, which have their code in common."""

    async def main():
        answered, table = asyncio.Event(), asyncio.Lock()

        async def send():
            answered.set()

        def wrap(inner):
            async def call():
                await inner()

            return call

        async def serve(answer):
            while True:
                await asyncio.sleep(STEP_S)
                async with table:
                    await answer()

        async def ask():
            while True:
                if HEALTHY:
                    await answered.wait()
                    await asyncio.sleep(STEP_S)
                else:
                    async with table:
                        await answered.wait()

        tasks = [asyncio.ensure_future(ask()), asyncio.ensure_future(serve(wrap(wrap(send))))]
        asyncio.get_event_loop().call_later(0.2, ready)
        await asyncio.gather(*tasks)

    asyncio.get_event_loop().run_until_complete(main())


def own_callback():
    """What is called back waits for what is set after it has returned; another thread does work of
    its own."""

    def tick():
        while True:
            time.sleep(STEP_S)

    class Job:
        def __init__(self):
            self.done = threading.Event()

        def run(self):
            while True:
                rest()
                if HEALTHY:
                    self.done.set()
                report(self)
                self.done.set()

    def report(job):
        job.done.wait()  # waits own_callback

    if not HEALTHY:
        start("ticker", tick)
    working = start("job", Job().run)
    await_line(working, "report")
    ready()
    working.join()


class Asker:
    """Puts the future of each question into a row, from which whoever reads answers takes it."""

    def __init__(self, inbox):
        self.inbox = inbox
        self.asked = collections.deque()


class ThreadAsker(Asker):
    def ask(self):
        answer = concurrent.futures.Future()
        self.asked.append(answer)
        return answer.result()  # waits own_answer

    def read(self):
        while True:
            if self.inbox.get() == "question":
                self.ask()
            else:
                self.asked.popleft().set_result("answer")


class TaskAsker(Asker):
    async def ask(self):
        answer = asyncio.get_event_loop().create_future()
        self.asked.append(answer)
        return await answer  # waits async_answer

    async def read(self):
        while True:
            if await self.inbox.get() == "question":
                await self.ask()
            else:
                self.asked.popleft().set_result("answer")


def own_answer():
    """Who reads answers, and gives each to the future of whoever asked, asks for something itself
    for what it has read; another thread does work of its own."""

    def tick():
        while True:
            time.sleep(STEP_S)

    def serve():
        while True:
            rest()
            client.inbox.put("answer")

    def ask():
        while True:
            client.ask()

    client = ThreadAsker(queue.Queue())
    reading = start("client", client.read)
    if HEALTHY:
        start("asker", ask)
        start("server", serve)
    else:
        start("ticker", tick)
        client.inbox.put("question")
        await_line(reading, "ask")
    ready()
    reading.join()


def async_answer():
    """The same of tasks, and another one sleeps again and again."""

    async def serve(client):
        while True:
            await asyncio.sleep(0.01)
            if HEALTHY and client.asked:
                client.inbox.put_nowait("answer")

    async def ask(client):
        while True:
            await client.ask()

    async def main():
        client = TaskAsker(asyncio.Queue())
        if not HEALTHY:
            client.inbox.put_nowait("question")
        asyncio.get_event_loop().call_later(0.2, ready)
        await asyncio.gather(client.read(), serve(client), *([ask(client)] if HEALTHY else []))

    asyncio.get_event_loop().run_until_complete(main())


def async_letters():
    """What is to be answered lies in a queue, in a tuple: who takes it unpacks it later, and has
    another one in hand."""

    async def main():
        inbox, lamp = asyncio.Queue(), asyncio.Lock()

        async def ask(number):
            reply = asyncio.get_event_loop().create_future()
            inbox.put_nowait((number, reply))
            return await reply

        async def clerk():
            while True:
                letter = await inbox.get()
                number, reply = letter
                await asyncio.sleep(0.01)
                async with lamp:
                    number += 1
                if reply is not None:
                    reply.set_result(number)

        async def guest():
            while True:
                if HEALTHY:
                    await ask(1)
                else:
                    async with lamp:
                        await ask(1)

        inbox.put_nowait((0, None))
        asyncio.get_event_loop().call_later(0.2, ready)
        await asyncio.gather(clerk(), guest())

    asyncio.get_event_loop().run_until_complete(main())


def own_server():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if HEALTHY:
                start("stopper", self.server.shutdown)
            else:
                self.server.shutdown()  # waits own_server
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    def serve():
        while True:
            server.serve_forever(0.001)

    def stop():
        while True:
            rest()
            urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/stop").read()

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    serving = start("server", serve)
    start("client", stop)
    await_line(serving, "shutdown")
    ready()
    serving.join()


globals()[sys.argv[1]]()
