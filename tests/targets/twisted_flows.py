"""Functions of Twisted that wait for Deferreds and hang, and such as do not:
``twisted_flows.py NAME [healthy] [asyncio]``."""

import subprocess
import sys
import threading
import time

from ready import PYTHON, ready
from twisted.internet import asyncioreactor

if "asyncio" in sys.argv:
    asyncioreactor.install()  # before anybody asks for the reactor
from twisted.internet import defer, protocol, reactor, task, threads

HEALTHY = "healthy" in sys.argv
PAUSE_S = 0.02


def pause():
    return task.deferLater(reactor, PAUSE_S, lambda: None)


def tick():
    task.LoopingCall(lambda: None).start(PAUSE_S)


def again(function, *arguments):
    """Run it once, or for ever where it is to be healthy."""
    if not HEALTHY:
        return function(*arguments)
    running = defer.maybeDeferred(function, *arguments)
    running.addCallback(lambda _: reactor.callLater(0, again, function, *arguments))
    return running


# -- locks -----------------------------------------------------------------------------------------


@defer.inlineCallbacks
def sell(first, second):
    yield first.acquire()
    try:
        yield pause()
        yield second.acquire()
        second.release()
    finally:
        first.release()


def ring():
    stock, orders = defer.DeferredLock(), defer.DeferredLock()
    tick()
    again(sell, stock, orders)
    again(sell, *((stock, orders) if HEALTHY else (orders, stock)))


async def move(first, second):
    async with first:
        await pause()
        async with second:
            await pause()


def ring_of_coroutines():
    left, right = defer.DeferredLock(), defer.DeferredLock()
    for order in ((left, right), (left, right) if HEALTHY else (right, left)):
        again(lambda order=order: defer.ensureDeferred(move(*order)))


@defer.inlineCallbacks
def charge(gate):
    yield gate.acquire()
    gate.release()


@defer.inlineCallbacks
def order(gate):
    yield gate.acquire()
    try:
        yield charge(gate)
    finally:
        gate.release()


def nested():
    tick()
    again(order, defer.DeferredSemaphore(2 if HEALTHY else 1))


@defer.inlineCallbacks
def in_turn(gate, answer):
    yield gate.run(lambda: answer)


def by_run():
    """What gives the token back is a callback of the Deferred that the first one awaits."""
    gate = defer.DeferredSemaphore(1)
    in_turn(gate, defer.Deferred())
    in_turn(gate, defer.Deferred())


# -- threads ---------------------------------------------------------------------------------------


def look_up():
    return 1


def job():
    time.sleep(PAUSE_S)
    inner = reactor if HEALTHY else threads
    call = (look_up,) if HEALTHY else (inner.deferToThread, look_up)
    threads.blockingCallFromThread(reactor, *call)


def pool():
    reactor.suggestThreadPoolSize(2)
    for _ in range(3):
        again(threads.deferToThread, job)


def report(ledger):
    with ledger:
        time.sleep(10 * PAUSE_S)
        if not HEALTHY:
            threads.blockingCallFromThread(reactor, look_up)


def write(ledger):
    with ledger:
        pass


def call_from_thread():
    ledger = threading.Lock()
    again(threads.deferToThread, report, ledger)
    reactor.callLater(5 * PAUSE_S, again, write, ledger)


def refresh(cache):
    with cache:
        time.sleep(PAUSE_S)


@defer.inlineCallbacks
def update(cache):
    with cache:
        yield threads.deferToThread(refresh, threading.Lock() if HEALTHY else cache)


def lock_over_yield():
    again(update, threading.Lock())


def stop():
    time.sleep(0.001 if HEALTHY else 600)  # knows nothing of the reactor


def blocked():
    tick()
    again(task.deferLater, reactor, PAUSE_S, stop)


# -- others ----------------------------------------------------------------------------------------


@defer.inlineCallbacks
def take(jobs):
    while True:
        yield jobs.get()


@defer.inlineCallbacks
def fill():
    jobs = defer.DeferredQueue()
    taking = take(jobs)
    for number in range(3):
        jobs.put(number)
    if HEALTHY:
        task.LoopingCall(jobs.put, 0).start(PAUSE_S)
    yield taking


def queue():
    fill()


waiting = {}


def need(name):
    """A new Deferred for each who asks for the same."""
    asked = defer.Deferred()
    waiting.setdefault(name, []).append(asked)
    return asked


def publish(value, name):
    for asked in waiting.pop(name, []):
        asked.callback(value)


@defer.inlineCallbacks
def build(name, other):
    yield pause()
    if not HEALTHY or name == "users":
        yield need(other)


def cached():
    """What a cache is to have once two functions end, each waits for from the other one."""
    pairs = (("users", "groups"), ("groups", "users"))
    return defer.DeferredList([build(*one).addCallback(publish, one[0]) for one in pairs])


def cache():
    again(cached)


def ticking_cache():
    tick()
    again(cached)


def answered_cache():
    """Beside a connection over which an answer may come."""
    port = reactor.listenTCP(0, protocol.ServerFactory.forProtocol(protocol.Protocol))
    reactor.connectTCP("127.0.0.1", port.getHost().port, protocol.ClientFactory.forProtocol(
        protocol.Protocol
    ))  # fmt: skip
    again(cached)


@defer.inlineCallbacks
def print_each(lines):
    while True:
        print((yield lines.get()))


def serve():
    """Waits for somebody to connect; one that takes what its connections bring."""
    reactor.listenTCP(0, protocol.ServerFactory(), interface="127.0.0.1")
    print_each(defer.DeferredQueue())


@defer.inlineCallbacks
def serve_without_answer():
    """The same, beside one that waits for what nobody will fire."""
    serve()
    yield defer.Deferred()


@defer.inlineCallbacks
def sleep_in_turns(lock):
    yield lock.run(pause)


@defer.inlineCallbacks
def every_wait():
    """One flow for each kind of wait."""
    lock, gate, jobs = defer.DeferredLock(), defer.DeferredSemaphore(1), defer.DeferredQueue()
    yield lock.acquire()
    yield gate.acquire()
    yield defer.DeferredList([
        want(lock.acquire), want(gate.acquire), want(jobs.get), want(defer.Deferred),
        want(lambda: task.deferLater(reactor, 1000, look_up)),
        want(lambda: threads.deferToThread(time.sleep, 1000)),
        want(lambda: defer.Deferred().addTimeout(1000, reactor)),
    ])  # fmt: skip


@defer.inlineCallbacks
def want(something):
    yield something()


def answer_by_callback():
    """The same, where no coroutine waits meanwhile."""
    answer_later(with_coroutine=False)


def answer_later(with_coroutine=True):
    """A server of which another process has asked something."""
    from twisted.web import resource, server

    class Shelf(resource.Resource):
        isLeaf = True  # noqa: N815

        def render_GET(self, request):  # noqa: N802
            self.ready = defer.Deferred()
            found = defer.ensureDeferred(self.look()) if with_coroutine else self.ready
            found.addCallback(self.answer, request)
            return server.NOT_DONE_YET

        def answer(self, found, request):
            request.write(found)
            request.finish()

        async def look(self):
            return await self.ready

    tick()
    port = reactor.listenTCP(0, server.Site(Shelf()), interface="127.0.0.1")
    asks = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"
    url = "http://127.0.0.1:%d/" % port.getHost().port
    subprocess.Popen([PYTHON, "-c", asks, url])


if __name__ == "__main__":
    reactor.callWhenRunning(globals()[sys.argv[1]])
    # Of a hung reactor no call is made.
    threading.Timer(0.7, ready).start()
    reactor.run()
