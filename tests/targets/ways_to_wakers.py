"""ways_to_wakers.py: threads that wait for events, and of each another one that would set it.

How that one refers to the event, and comes to the call, differs: by an argument, an item, a
callback, ... Each thread is called after its way.
"""

import concurrent.futures as cf
import contextlib
import functools
import queue
import threading
import time

from ready import ready

HOUR_S = 3600


def rest():
    time.sleep(HOUR_S)


def end(what):
    what.set()


class Office:
    def __init__(self, what):
        self.what = what
        self.callbacks = [self.finish]
        self.on_done = lambda: end(what)

    def finish(self):
        end(self.what)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.finish()

    def by_attribute(self):
        rest()
        end(self.what)

    def by_method(self):
        rest()
        self.finish()

    def by_callbacks(self):
        rest()
        for callback in self.callbacks:
            callback()

    def by_hook(self):
        rest()
        self.on_done()


class Sink:
    """Is given what it calls at the end."""

    def __init__(self, on_end, each=()):
        self.on_end, self.each = on_end, each

    def by_kept(self):
        rest()
        self.finish()

    def finish(self):
        self.on_end()

    def by_each(self):
        rest()
        for call in self.each:
            call()


class Company:
    def __init__(self, what):
        self.office = Office(what)

    def by_steps(self):
        rest()
        self.office.finish()


def by_argument(what):
    rest()
    end(what)


def by_entry(table):
    rest()
    end(table["order"])


def by_item(rows):
    rest()
    end(rows[0])


def by_loop(offices):
    rest()
    for office in offices:
        end(office.what)


class Batch:
    def __init__(self, what):
        self.rows = [Office(what)]


class Van:
    def __init__(self, what):
        self.batch = Batch(what)


class Desk:
    def __init__(self, what):
        self._what, self._room = what, self

    @property
    def what(self):
        """What is waited for."""
        return self._what

    @property
    def room_of(self):
        return self._room._room

    def set(self):
        end(self._what)

    def by_property(self):
        rest()
        self.what.set()

    def by_properties(self):
        rest()
        end(self.room_of.what)


def by_zip(van):
    rest()
    for office, _number in zip(van.batch.rows, [1]):
        office.what.set()


def by_callable(callback):
    rest()
    callback()


def by_keywords(**given):
    rest()
    end(given["what"])


def by_with(office):
    with office:
        rest()


def by_finally(what):
    try:
        rest()
    finally:
        end(what)


def by_generator(what):
    def steps():
        rest()
        yield 1
        end(what)

    for _ in steps():
        pass


def items_of(what):
    yield 1
    end(what)


def by_items(items):
    next(items)
    rest()
    next(items)


def by_stack(what):
    with contextlib.ExitStack() as stack:
        stack.callback(end, what)
        rest()


def followed(function):
    @functools.wraps(function)
    def inner(*given):
        function(*given)
        end(given[0])

    return inner


@followed
def by_decorator(what):
    rest()


def closing_over(what):
    def inner():
        rest()
        end(what)

    return inner


class Guild:
    def __init__(self, what):
        self.offices = [Office(what)]

    def by_round(self):
        rest()
        self.go_round()

    def go_round(self):
        for office in self.offices:
            office.what.set()

    def by_copy(self):
        rest()
        self.go_over_copy()

    def go_over_copy(self):
        for office in list(self.offices):
            office.what.set()


class Counter:
    """Nobody knows which of its orders is asked for next."""

    def __init__(self, what):
        self.orders = {"first": Office(what), "second": Office(what)}

    def by_key(self, letter):
        rest()
        self.deliver(letter)

    def deliver(self, letter):
        order = self.orders[letter["order"]]
        order.what.set()


def letters_of(letters, what):
    letters.put({"op": "count", "done": what})
    return letters


def by_letters(letters):
    letter = {"op": "sum", "done": threading.Event()}
    while True:
        rest()
        letter["done"].set()
        letter = letters.get()


WAYS = {
    "argument": lambda what: (by_argument, what),
    "attribute": lambda what: (Office(what).by_attribute,),
    "method": lambda what: (Office(what).by_method,),
    "callbacks": lambda what: (Office(what).by_callbacks,),
    "hook": lambda what: (Office(what).by_hook,),
    "kept": lambda what: (Sink(what.set).by_kept,),
    "each": lambda what: (Sink(None, [what.set]).by_each,),
    "bare": lambda what: (by_callable, what.set),
    "steps": lambda what: (Company(what).by_steps,),
    "property": lambda what: (Desk(what).by_property,),
    "properties": lambda what: (Desk(what).by_properties,),
    "entry": lambda what: (by_entry, {"order": what}),
    "item": lambda what: (by_item, [what]),
    "loop": lambda what: (by_loop, [Office(what)]),
    "zip": lambda what: (by_zip, Van(what)),
    "partial": lambda what: (by_callable, functools.partial(end, what)),
    "lambda": lambda what: (by_callable, lambda: end(what)),
    "default": lambda what: (by_callable, lambda given=what: end(given)),
    "method_of_default": lambda what: (by_callable, lambda more=1, desk=Desk(what): desk.set()),
    "bound": lambda what: (by_callable, Office(what).finish),
    "cell": lambda what: (closing_over(what),),
    "keywords": lambda what: (functools.partial(by_keywords, what=what),),
    "with": lambda what: (by_with, Office(what)),
    "finally": lambda what: (by_finally, what),
    "generator": lambda what: (by_generator, what),
    "items": lambda what: (by_items, items_of(what)),
    "stack": lambda what: (by_stack, what),
    "decorator": lambda what: (by_decorator, what),
    "round": lambda what: (Guild(what).by_round,),
    "copy": lambda what: (Guild(what).by_copy,),
    "letters": lambda what: (by_letters, letters_of(queue.Queue(), what)),
    "letters_of_c": lambda what: (by_letters, letters_of(queue.SimpleQueue(), what)),
}


def start(name, function, *given):
    threading.Thread(target=function, args=given, name=name, daemon=True).start()


def wants(what):
    what.wait()


for way, made in WAYS.items():
    wanted = threading.Event()
    start(f"wants {way}", wants, wanted)
    start(way, *made(wanted))
start("beside", Counter(wanted).by_key, {"order": "third"})  # who is not on the way to the last

after = threading.Event()
start("wants timer", wants, after)
timer = threading.Timer(HOUR_S, end, (after,))
timer.name, timer.daemon = "timer", True
timer.start()

done = threading.Event()
start("wants done_callback", wants, done)
pool = cf.ThreadPoolExecutor(1, thread_name_prefix="done_callback")
pool.submit(rest).add_done_callback(lambda _: end(done))

ready()
rest()
