"""Processes, executors and loops that hang, each with a healthy twin: ``mechanisms.py NAME``.

A twin is the same program with what is missing there, or slow.
"""

import asyncio
import concurrent.futures
import multiprocessing
import multiprocessing.pool
import os
import pty
import queue
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tty
import types

from ready import PYTHON, ready

FORK = multiprocessing.get_context("fork")
SPAWN = multiprocessing.get_context("spawn")


# -- pools of processes -------------------------------------------------------------------------


class UnpicklableError(Exception):
    def __init__(self, reply):
        super().__init__(reply["code"])


def fail(_):
    raise UnpicklableError({"code": 2})


def doze(seconds):
    time.sleep(seconds)
    return seconds


def wait_for_results(pool, function, items):
    ready()
    pool.map(function, items)


def result_that_cannot_be_unpickled():
    wait_for_results(FORK.Pool(2), fail, [1])


class Traced(threading.Thread):
    def _bootstrap_inner(self):
        if self.name in REFUSED:
            raise KeyError(self.name)
        super()._bootstrap_inner()


REFUSED = ["gifts"]


def thread_that_fails_before_it_begins():
    ready()
    begin("gifts")


def begin(name):
    Traced(name=name, target=time.sleep, args=(600,), daemon=True).start()


def thread_that_begins():
    """Healthy: a thread of its own class runs, and the main one waits for its end."""
    worker = Traced(name="orders", target=time.sleep, args=(600,))
    worker.start()
    ready()
    worker.join()


POOL = None


def terminate_pool(error):
    POOL.terminate()


def pool_terminated_by_its_own_callback():
    global POOL
    POOL = FORK.Pool(2)
    results = [POOL.apply_async(doze, (one,)) for one in (0.2, 0.4, 600)]
    POOL.apply_async(square, ("no number",), error_callback=terminate_pool)
    ready()
    for result in results:
        result.wait()


def slow_result():
    """Healthy: the result takes its time."""
    wait_for_results(FORK.Pool(2), doze, [600])


def connect():
    raise SystemExit(1)


def initializer_that_fails():
    wait_for_results(FORK.Pool(2, connect), doze, [1])


def workers_renewed():
    """Healthy: each worker is to do one task."""
    wait_for_results(FORK.Pool(2, maxtasksperchild=1), doze, [0.01] * 100000)


def square(number):
    return number * number


def executor_without_workers():
    pool = concurrent.futures.ProcessPoolExecutor(1, SPAWN, max_tasks_per_child=2)
    results = [pool.submit(square, number) for number in range(10)]

    def load():
        return [result.result() for result in results]

    ready()
    load()


def executor_with_a_slow_task():
    """Healthy: the only worker sleeps."""
    pool = concurrent.futures.ProcessPoolExecutor(1, SPAWN)
    result = pool.submit(doze, 600)
    ready()
    result.result()


class Priced:
    """An article that is pickled with its price, which takes its time or needs a lock."""

    lock = threading.Lock()
    rest_s = 0.0

    def __reduce__(self):
        time.sleep(self.rest_s)
        with self.lock:
            return Priced, ()


def wait_for_article():
    pool = concurrent.futures.ProcessPoolExecutor(1, FORK)
    article = pool.submit(id, Priced())
    ready()
    article.result()


def executor_fed_under_a_lock():
    with Priced.lock:
        wait_for_article()


def executor_that_is_fed_slowly():
    """Healthy: the lock is taken by nobody, and the price takes its time."""
    Priced.rest_s = 600
    wait_for_article()


def fork_a_daemon_and_fail(_):
    if os.fork() == 0:
        signal.alarm(100)
        signal.pause()
    os.kill(os.getpid(), signal.SIGKILL)


def save_both(path):
    one, other = (sqlite3.connect(path, timeout=100) for _ in range(2))
    one.execute("CREATE TABLE prices (price)")
    one.commit()
    one.execute("INSERT INTO prices VALUES (1)")
    ready()
    other.execute("INSERT INTO prices VALUES (2)")


def two_connections_of_one_thread():
    save_both(os.path.join(tempfile.mkdtemp(), "shop.db"))


def worker_whose_daemon_outlives_it():
    pool = concurrent.futures.ProcessPoolExecutor(1, FORK)
    result = pool.submit(fork_a_daemon_and_fail, 1)
    ready()
    result.result()


def work_until_zero(jobs):
    while True:
        job = jobs.get()
        if job == 0:
            os._exit(1)
        time.sleep(job)
        jobs.task_done()


def join_queue(jobs, *numbers):
    FORK.Process(target=work_until_zero, args=(jobs,), daemon=True).start()
    for number in numbers:
        jobs.put(number)
    ready()
    jobs.join()


def queue_of_a_worker_that_has_ended():
    join_queue(FORK.JoinableQueue(), 0.1, 0, 0.1)


def queue_of_a_slow_worker():
    """Healthy: the worker takes its time."""
    join_queue(FORK.JoinableQueue(), 0.1, 600)


def crawl(seconds, make=FORK.Pool):
    """Takes the next task from what the result of the last one brings."""
    found = queue.Queue()

    def pages():
        yield 0
        yield 0
        while True:
            yield found.get()

    for number, _ in enumerate(make(2).imap(doze, pages())):
        if number == 1:
            ready()
            if seconds:
                found.put(seconds)


def pool_that_is_fed_by_its_results():
    crawl(0)


def pool_that_is_fed_slowly():
    """Healthy: the next result takes its time."""
    crawl(600)


def thread_pool_that_is_fed_by_its_results():
    crawl(0, multiprocessing.pool.ThreadPool)


def thread_pool_that_is_fed_slowly():
    """Healthy: the same with threads."""
    crawl(600, multiprocessing.pool.ThreadPool)


def read_all(path):
    with open(path) as fifo:
        return fifo.read()


def write_reading(path, seconds=0):
    time.sleep(seconds)
    with open(path, "w") as fifo:
        fifo.write("21.5")


def read_fifos(write):
    """Both workers read FIFOs; *write*: how those are written that come behind."""
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, name) for name in ("north", "south")]
    for path in paths:
        os.mkfifo(path)
    pool = concurrent.futures.ThreadPoolExecutor(2, "fifo")
    for path in paths:
        pool.submit(read_all, path)
    written = write(pool, paths[0])
    ready()
    try:
        written.result()
    finally:
        os._exit(1)


def fifos_that_fill_an_executor():
    read_fifos(lambda pool, path: pool.submit(write_reading, path))


def fifos_that_are_written_later():
    """Healthy: a thread of its own writes, and takes its time."""

    def write(pool, path):
        threading.Thread(target=write_reading, args=(path, 600), daemon=True).start()
        return pool.submit(write_reading, path)

    read_fifos(write)


def submit_job(pool, *call):
    """A future of its own for what the pool does, as libraries hand out."""
    job = concurrent.futures.Future()
    pool.submit(*call).add_done_callback(lambda done: job.set_result(done.result()))
    return job


def report_sales(pool):
    return submit_job(pool, sum, (1, 2)).result()


def report_with(workers):
    mails = concurrent.futures.ThreadPoolExecutor(1, "mails")
    mails.submit(sum, (1, 2)).result()
    reports = concurrent.futures.ThreadPoolExecutor(workers, "reports")
    ready()
    try:
        while True:
            submit_job(reports, report_sales, reports).result()
            time.sleep(0.01)
    finally:
        os._exit(1)


def jobs_that_wait_for_jobs_behind_them():
    report_with(1)


def jobs_that_wait_for_other_workers():
    """Healthy: there is a worker for each of them."""
    report_with(2)


class Shelf:
    """May be changed while nobody reads."""

    def __init__(self):
        self.changed = threading.Condition()
        self.readers = {}

    def read(self):
        with self.changed:
            self.readers[threading.current_thread()] = 1

    def empty(self):
        with self.changed:
            while self.readers:
                self.changed.wait()


def empty_beside(read):
    shelf = Shelf()
    reader = threading.Thread(target=read, args=(shelf,), name="export", daemon=True)
    reader.start()
    while not shelf.readers:
        time.sleep(0.01)
    if read == Shelf.read:
        reader.join()
    ready()
    shelf.empty()


def shelf_of_a_reader_that_has_ended():
    empty_beside(Shelf.read)


def read_for_long(shelf):
    shelf.read()
    time.sleep(600)


def shelf_of_a_slow_reader():
    """Healthy: the reader takes its time."""
    empty_beside(read_for_long)


def confirm_writes(gate, lock, written, seconds):
    gate.wait()
    with lock:
        time.sleep(seconds)
    written.set()


def flush(seconds, lock, needed):
    """Waits with a lock for a thread that needs *needed*, by what other processes could use."""
    written, gate = FORK.Event(), threading.Event()
    args = gate, needed, written, seconds
    threading.Thread(target=confirm_writes, args=args, name="writer", daemon=True).start()
    with lock:
        gate.set()
        ready()
        written.wait()


def event_of_a_thread_that_needs_a_lock():
    lock = threading.Lock()
    flush(0, lock, lock)


def event_of_a_slow_thread():
    """Healthy: the thread takes its time, with a lock of its own."""
    flush(600, threading.Lock(), threading.Lock())


def wait_at_gate(gate, there):
    there.set()
    gate.wait()


def wait_in_a_process(gate):
    there = FORK.Event()
    process = FORK.Process(target=wait_at_gate, args=(gate, there))
    process.start()
    there.wait()
    time.sleep(0.5)  # from there to its wait
    return process


def open_gate(gate):
    gate.set()


def event_that_a_killed_process_waited_for():
    gate = FORK.Event()
    process = wait_in_a_process(gate)
    process.kill()
    process.join()
    wait_in_a_process(gate)
    ready()
    open_gate(gate)


def event_that_is_not_set_yet():
    """Healthy: it is set later."""
    gate = FORK.Event()
    wait_in_a_process(gate)
    ready()
    time.sleep(600)
    open_gate(gate)


def meet(barrier, rounds, pause_s=0.0):
    for _ in range(rounds):
        time.sleep(pause_s)
        barrier.wait()


def barrier_of_a_process_that_has_ended(pause_s=0.0, rounds=0):
    barrier = FORK.Barrier(3)
    FORK.Process(target=meet, args=(barrier, 5)).start()
    FORK.Process(target=meet, args=(barrier, rounds, pause_s)).start()
    ready()
    meet(barrier, 5)


def barrier_of_a_slow_process():
    """Healthy: the third one takes its time."""
    barrier_of_a_process_that_has_ended(600, 5)


def read_jobs(jobs, pause_s):
    while jobs.get() is not None:
        time.sleep(pause_s)


def exit_that_joins_a_worker_without_an_end_mark(pause_s=0.0):
    jobs = FORK.Queue()
    FORK.Process(target=read_jobs, args=(jobs, pause_s)).start()
    jobs.put("index")
    ready()


def exit_that_joins_a_slow_worker():
    """Healthy: the worker has something to do."""
    exit_that_joins_a_worker_without_an_end_mark(600)


def read_names(names):
    while True:
        yield names.get()


def find_first(names, task):
    with FORK.Pool(2) as pool:
        for _ in pool.imap(task, read_names(names)):
            jobs = pool._inqueue._rlock
            while jobs.acquire(block=False):  # until a worker waits for a job, with that
                jobs.release()
                time.sleep(0.01)
            ready()
            return


def pool_that_is_left_while_its_input_waits(task=doze):
    names = queue.Queue()
    names.put(0)
    find_first(names, task)


def wait_long(_):
    ready()
    time.sleep(600)


def pool_with_a_slow_task():
    """Healthy: the first result takes its time."""
    pool_that_is_left_while_its_input_waits(wait_long)


def read_output(master):
    while os.read(master, 4096):
        pass


def terminal_that_its_reader_keeps_open(code="print(1)"):
    master, slave = os.openpty()
    child = subprocess.Popen([PYTHON, "-c", code], stdin=slave, stdout=slave, stderr=slave)
    os.read(master, 1)
    ready()
    read_output(master)
    child.wait()


def terminal_of_a_slow_child():
    """Healthy: the child goes on."""
    terminal_that_its_reader_keeps_open("import time; print(1, flush=True); time.sleep(600)")


def terminal_that_others_may_open():
    """Healthy: an emulated device that other programs open by its name."""
    master, _ = os.openpty()
    ready()
    read_output(master)


def device(master, wait):
    while True:
        command = wait(master)
        os.write(master, b"done " + command)


def ask_command(master):
    return os.read(master, 100)


def ask_slowly(master):
    time.sleep(600)
    return os.read(master, 100)


def echo_commands(master):
    while True:
        os.write(master, os.read(master, 1000) * 2)


def machine_whose_answers_nobody_reads():
    """As pyserial does: it writes once it can, or a pipe of its own tells it to give up."""
    master, slave = os.openpty()
    tty.setraw(slave)
    FORK.Process(target=device, args=(master, echo_commands), daemon=True).start()
    os.close(master)
    ready()
    send_commands(slave, os.pipe()[0])


def send_commands(slave, abort):
    while select.select([abort], [slave], []):
        os.write(slave, b"G1 X1 Y1" * 10)


def machine_that_takes_commands_slowly():
    """Healthy: its terminal is full most of the time."""
    master, slave = os.openpty()
    tty.setraw(slave)
    FORK.Process(target=device, args=(master, take_slowly), daemon=True).start()
    os.close(master)
    ready()
    send_commands(slave, os.pipe()[0])


def take_slowly(master):
    while True:
        time.sleep(0.05)
        os.read(master, 1000)


def ask_device(wait=ask_command, threads=0):
    """As pyserial does: one way on is the device, the other a pipe of its own."""
    master, slave = os.openpty()
    tty.setraw(slave)
    FORK.Process(target=device, args=(master, wait), daemon=True).start()
    os.close(master)
    abort, aborts = os.pipe()
    for _ in range(threads):
        threading.Thread(target=abort_after, args=(aborts, 600), daemon=True).start()
    ready()
    wait_for_reply(slave, abort)


def abort_after(aborts, seconds):
    time.sleep(seconds)
    os.write(aborts, b"x")


def wait_for_reply(slave, abort):
    while slave not in select.select([slave, abort], [], [])[0]:
        pass


def device_that_waits_for_its_command():
    ask_device()


def device_that_is_slow():
    """Healthy: it answers later."""
    ask_device(ask_slowly)


def device_with_a_thread_that_aborts():
    """Healthy: a thread ends the wait through the pipe."""
    ask_device(threads=1)


def write_eventfd(done, seconds):
    time.sleep(seconds)
    os.eventfd_write(done, 1)


def read_eventfd(done):
    ready()
    os.eventfd_read(done)


def eventfd_that_only_its_reader_has():
    done = os.eventfd(0)
    child = FORK.Process(target=write_eventfd, args=("fails", 0))
    child.start()
    child.join()
    read_eventfd(done)


def eventfd_of_a_slow_child():
    """Healthy: the child writes later."""
    done = os.eventfd(0)
    FORK.Process(target=write_eventfd, args=(done, 600), daemon=True).start()
    read_eventfd(done)


def eventfd_of_a_slow_thread():
    """Healthy: a thread writes later."""
    done = os.eventfd(0)
    threading.Thread(target=write_eventfd, args=(done, 600), daemon=True).start()
    read_eventfd(done)


def inner(number):
    return number


def outer(number):
    time.sleep(0.2)  # so that the other one has a thread too
    return THREADS[0].map(inner, [number])


def threads_that_wait_for_their_own_pool():
    THREADS[:] = [multiprocessing.pool.ThreadPool(2)]
    wait_for_results(THREADS[0], outer, [1, 2])


def threads_that_wait_for_another_pool():
    """Healthy: the inner tasks have threads of their own, which are slow."""
    THREADS[:] = [multiprocessing.pool.ThreadPool(3)]
    second = THREADS[0].apply_async(doze, [600])
    ready()
    second.get()


THREADS = []


# -- children -------------------------------------------------------------------------------------

WRITES = "import sys; sys.stdout.write('x' * 10000000)"
SLEEPS = "import time; print('x' * 70000, flush=True); time.sleep(600)"
TRICKLES = "import time\nwhile True: print('x' * 70000, flush=True)"


async def run_command(code, reads):
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(PYTHON, "-c", code, stdout=pipe)
    if reads:
        reading = asyncio.ensure_future(read_slowly(child.stdout))
    ready()
    await child.wait()
    return reading


async def read_slowly(stream):
    while await stream.read(100000):
        await asyncio.sleep(0.01)


def child_that_fills_its_pipe():
    asyncio.run(run_command(WRITES, reads=False))


def terminal_that_nobody_reads():
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", WRITES])
    ready()
    wait_for_child(child)
    os.close(terminal)


def terminal_with_little_output():
    """Healthy: there is room for it, and the child is slow."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"])
    ready()
    wait_for_child(child)
    os.close(terminal)


def wait_for_child(child):
    os.waitpid(child, 0)


def child_that_sleeps():
    """Healthy: it has not filled its pipe."""
    asyncio.run(run_command(SLEEPS, reads=False))


def child_that_is_read_slowly():
    """Healthy: its pipe is full most of the time."""
    asyncio.run(run_command(TRICKLES, reads=True))


# -- loops ----------------------------------------------------------------------------------------


async def reload():
    done = threading.Event()
    loop = asyncio.get_event_loop()
    loop.call_soon_threadsafe(done.set)
    ready()
    wait_until(done)


def wait_until(done):
    done.wait()


def loop_that_waits_for_itself():
    asyncio.run(reload())


def wait_beside_the_loop():
    """Healthy: another thread than the loop's waits for what the loop is to do."""
    loop = asyncio.new_event_loop()
    done = threading.Event()
    loop.call_later(600, done.set)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    ready()
    wait_until(done)


# -- servers --------------------------------------------------------------------------------------


def serve_and_ask(listener):
    """A worker: its first client makes it ask its own server."""
    connection = listener.accept()[0]
    make_report(listener.getsockname())
    connection.close()


def make_report(address):
    with socket.create_connection(address) as upstream:
        while upstream.recv(1):
            pass


def serve_slowly(listener):
    connection = listener.accept()[0]
    while True:
        connection.send(b"x")
        time.sleep(0.05)


def prefork(*workers):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(8)
    children = [FORK.Process(target=worker, args=(listener,)) for worker in workers]
    for child in children:
        child.start()
    client = socket.create_connection(listener.getsockname())
    time.sleep(0.5)  # until one has called the other
    ready()
    supervise()
    client.close()


def supervise():
    wake_up = os.pipe()[0]
    while True:
        select.select([wake_up], [], [], 1)


def worker_that_calls_its_own_server():
    prefork(serve_and_ask)


def workers_that_call_each_other():
    """All of them: each request takes another worker, and none is left for the last one."""
    prefork(serve_and_ask, serve_and_ask)


def worker_that_calls_a_slow_one():
    """Healthy: another worker has accepted, or will."""
    prefork(serve_and_ask, serve_slowly, serve_slowly)


# -- SQLite ---------------------------------------------------------------------------------------


def database():
    path = os.path.join(tempfile.mkdtemp(prefix="hangtui-test-"), "app.db")
    sqlite3.connect(path).execute("CREATE TABLE counts (n)")
    return path


def save_count(path):
    with sqlite3.connect(path, timeout=600) as connection:
        connection.execute("INSERT INTO counts VALUES (1)")


def import_all(path, pool):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    pool.submit(save_count, path).result()


def writer_waits_for_another_writer():
    pool = concurrent.futures.ThreadPoolExecutor(1, "statistics")
    importer = threading.Thread(target=import_all, args=(database(), pool), name="importer")
    importer.start()
    ready()
    importer.join()


def back_up(path, other):
    sqlite3.connect(path).backup(sqlite3.connect(other))


def backup_into_its_own_transaction():
    path, other = database(), database()
    importer = sqlite3.connect(other, isolation_level=None)
    importer.execute("BEGIN IMMEDIATE")
    ready()
    back_up(path, other)


def backup_page_by_page():
    """Healthy: it sleeps in between, in Python."""
    source = sqlite3.connect(database())
    source.executemany("INSERT INTO counts VALUES (?)", [("x" * 4000,)] * 1000)
    source.commit()
    ready()
    source.backup(sqlite3.connect(database()), pages=1, progress=lambda *_: time.sleep(0.05))


def write_often(path):
    connection = sqlite3.connect(path, timeout=600, isolation_level=None)
    while True:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(0.01)
        connection.execute("COMMIT")
        time.sleep(0.005)


def writers_in_turn():
    """Healthy: three connections write one after the other."""
    path = database()
    for number in range(3):
        threading.Thread(target=write_often, args=(path,), name="writer-%d" % number).start()
    ready()


# -- locks of a manager ---------------------------------------------------------------------------


def pay(source, target, both, done):
    source.acquire()
    both.wait()
    done.wait()
    target.acquire()


def pay_slowly(source, target, both, done):
    source.acquire()
    both.wait()
    done.wait()
    time.sleep(600)


def tell_manager(second):
    """Each of two clients has one lock; the first wants the other one's, and what does *second*?"""
    with FORK.Manager() as manager:
        checking, savings = manager.Lock(), manager.Lock()
        both, done = FORK.Barrier(3), FORK.Event()
        for function, locks in ((pay, (checking, savings)), (second, (savings, checking))):
            FORK.Process(target=function, args=(*locks, both, done), daemon=True).start()
        both.wait()
        done.set()
        ready()
        threading.Event().wait()


def manager_locks_crossed():
    tell_manager(pay)


def manager_locks_of_a_slow_client():
    """Healthy: the second one has its lock for long, and will give it back."""
    tell_manager(pay_slowly)


# -- locks taken by functions that have returned --------------------------------------------------


class Account:
    def __init__(self, name):
        self.name = name
        self.mutex = threading.Lock()

    def open(self):
        self.mutex.acquire()

    def close(self):
        self.mutex.release()


def transfer(source, target, both):
    while True:
        source.open()
        both()
        target.open()
        target.close()
        source.close()


def accounts_that_methods_lock():
    savings, checking = Account("savings"), Account("checking")
    both = threading.Barrier(2).wait
    for pair in ((savings, checking), (checking, savings)):
        thread = threading.Thread(target=transfer, args=(*pair, both), name="to-" + pair[1].name)
        thread.start()
    ready()
    thread.join()


def accounts_in_one_order():
    """Healthy: both take them in the same order."""
    savings, checking = Account("savings"), Account("checking")
    for number in range(2):
        arguments = (savings, checking, lambda: time.sleep(0.01))
        threading.Thread(target=transfer, args=arguments, name="mover-%d" % number).start()
    ready()


quota = threading.Semaphore(1)


def take_quota():
    quota.acquire()


def give_quota():
    while True:
        time.sleep(0.3)
        quota.release()


def make_steps():
    while True:
        take_quota()
        time.sleep(0.01)
        take_quota()


def quota_taken_twice():
    worker = threading.Thread(target=make_steps, name="scheduler")
    worker.start()
    ready()
    worker.join()


def quota_that_a_timer_refills():
    """Healthy: another thread gives what this one takes."""
    threading.Thread(target=make_steps, name="scheduler").start()
    threading.Thread(target=give_quota, name="refill").start()
    ready()


# -- locks that suspended generators keep ----------------------------------------------------------


class Table:
    def __init__(self):
        self.mutex = threading.Lock()
        self.cursor = None

    def rows(self):
        with self.mutex:
            for number in range(1000):
                yield number

    def save(self, row=0):
        with self.mutex:
            return row

    def begin(self):
        self.cursor = self.rows()
        next(self.cursor)


def copy_rows(table):
    for row in table.rows():
        table.save(row)


def saver_inside_of_its_loop():
    copier = threading.Thread(target=copy_rows, args=(Table(),), name="copier")
    copier.start()
    ready()
    copier.join()


def cursor_that_is_not_closed():
    table = Table()
    table.begin()
    saver = threading.Thread(target=table.save, name="saver")
    saver.start()
    ready()
    saver.join()


def show_rows(table):
    while True:
        for _ in table.rows():
            time.sleep(0.001)


def cursor_that_goes_on():
    """Healthy: one thread goes over the rows, and another one saves some when it is done."""
    table = Table()
    threading.Thread(target=show_rows, args=(table,), name="viewer").start()
    ready()
    while True:
        table.save()
        time.sleep(0.01)


# -- tasks that were cancelled --------------------------------------------------------------------


async def answer(reader, _):
    await reader.read(100)


async def consume(queue, close):
    while True:
        try:
            await queue.get()
        except asyncio.CancelledError:
            if await close():
                return


async def serve_and_stop(close):
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    while True:
        task = asyncio.ensure_future(consume(asyncio.Queue(), close))
        await asyncio.sleep(0.1)
        task.cancel()
        ready()
        await task
    server.close()


async def go_on():
    return False


async def say_goodbye():
    await asyncio.sleep(0.3)
    return True


def cancelled_task_that_goes_on():
    asyncio.run(serve_and_stop(go_on))


def cancelled_task_that_cleans_up():
    """Healthy: it ends a little later."""
    asyncio.run(serve_and_stop(say_goodbye))


async def hear_nothing():
    while True:
        try:
            await asyncio.sleep(3000)  # hears nothing
        except asyncio.CancelledError:
            ready()


async def say_it_later():
    try:
        await asyncio.sleep(3000)
    finally:
        ready()
        await asyncio.sleep(30)


async def start_one(work):
    task = asyncio.ensure_future(work())
    await asyncio.sleep(0.05)
    return task


def cancellation_of_a_run_ignored():
    asyncio.run(start_one(hear_nothing))


def cancellation_of_a_run_heard():
    """Healthy: it ends half a minute later."""
    asyncio.run(start_one(say_it_later))


# -- a clock that a test has stopped ---------------------------------------------------------------


class FrozenDateTimeFactory:
    """Under the name that it has in freezegun."""


class TickingDateTimeFactory:
    """The same."""


async def poll():
    ready()
    while True:
        await asyncio.sleep(0.2)  # polls


def poll_at(factory, now):
    """What freeze_time() does to the time that asyncio goes by."""
    api = types.ModuleType("freezegun.api")
    api.freeze_factories = [factory()]
    sys.modules["freezegun.api"] = api
    time.monotonic = now
    asyncio.run(poll())


def sleep_by_a_stopped_clock():
    poll_at(FrozenDateTimeFactory, lambda: 1709164800.0)


def sleep_by_the_true_clock():
    """Healthy: real_asyncio=True."""
    poll_at(FrozenDateTimeFactory, time.monotonic)


def sleep_by_a_clock_that_goes():
    """Healthy: tick=True."""
    true = time.monotonic
    poll_at(TickingDateTimeFactory, lambda: 1709164800.0 + true())


# -- items of queues that nobody reports done ------------------------------------------------------


def tick():
    while True:
        time.sleep(0.2)


def take_orders(orders, skipped):
    while True:
        order = orders.get()
        if order == skipped:
            continue
        time.sleep(0.01)
        orders.task_done()


def queue_joined(skipped, more=0.0):
    orders = queue.Queue()
    for name in ("packer", "sender"):
        threading.Thread(target=take_orders, args=(orders, skipped), name=name).start()
    threading.Thread(target=tick, name="ticker").start()
    for number in range(6):
        orders.put(number)
    ready()
    while more:
        orders.put(0)
        time.sleep(more)
    orders.join()


def item_that_is_not_done():
    queue_joined(3)


def items_that_come_slowly():
    """Healthy: whoever joins is woken again and again."""
    queue_joined(None, 0.3)


async def tick_in_loop():
    while True:
        await asyncio.sleep(0.2)


async def take_orders_in_loop(orders, skipped):
    while True:
        order = await orders.get()
        if order == skipped:
            continue
        await asyncio.sleep(0.01)
        orders.task_done()


async def join_in_loop(skipped, more=0.0):
    orders = asyncio.Queue()
    work = [take_orders_in_loop(orders, skipped) for _ in range(2)]
    tasks = [asyncio.ensure_future(one) for one in (*work, tick_in_loop())]
    for number in range(6):
        orders.put_nowait(number)
    ready()
    while more:
        asyncio.get_running_loop().call_later(more, orders.put_nowait, 0)
        orders.put_nowait(0)
        await orders.join()
        await asyncio.sleep(more)
    await orders.join()
    del tasks


def item_that_no_task_does():
    asyncio.run(join_in_loop(3))


def items_that_tasks_do():
    """Healthy."""
    asyncio.run(join_in_loop(None, 0.3))


# -- tasks that wait for each other in a loop that goes on -----------------------------------------


async def move_in_loop(first, second):
    async with first:
        await asyncio.sleep(0.05)
        async with second:
            await asyncio.sleep(0.01)


async def move_again(first, second):
    while True:
        await move_in_loop(first, second)


async def beat():
    while True:
        await asyncio.sleep(0.01)


async def move_both(move, swap):
    rooms, staff = asyncio.Lock(), asyncio.Lock()
    second = (staff, rooms) if swap else (rooms, staff)
    moves = [asyncio.ensure_future(one) for one in (move(rooms, staff), move(*second), beat())]
    await asyncio.sleep(0.2)
    ready()
    await asyncio.wait(moves)


def tasks_in_a_loop_that_beats():
    asyncio.run(move_both(move_in_loop, swap=True))


def tasks_in_one_order():
    """Healthy."""
    asyncio.run(move_both(move_again, swap=False))


# -- semaphores that are taken crosswise -----------------------------------------------------------


def cross(first, second):
    with first:
        time.sleep(0.2)
        with second:
            time.sleep(0.05)


def semaphores_crossed():
    rooms, staff = threading.Semaphore(1), threading.Semaphore(1)
    for name, order in (("guest", (rooms, staff)), ("cleaner", (staff, rooms))):
        threading.Thread(target=cross, args=order, name=name).start()
    ready()


def cross_again(first, second):
    while True:
        cross(first, second)


def semaphores_with_room():
    """Healthy: there are enough units for all."""
    rooms, staff = threading.Semaphore(2), threading.Semaphore(2)
    for name, order in (("guest", (rooms, staff)), ("cleaner", (staff, rooms))):
        threading.Thread(target=cross_again, args=order, name=name).start()
    ready()


def monitor(child):
    while child.poll() is None:
        time.sleep(0.1)


def child_that_is_polled():
    """Nobody reads what the child of a shell writes."""
    child = subprocess.Popen("seq 1000000; true", shell=True, stdout=subprocess.PIPE)
    ready()
    monitor(child)


def polled_child_that_is_read_slowly():
    """Healthy: a thread reads from time to time."""
    child = subprocess.Popen("seq 100000000; true", shell=True, stdout=subprocess.PIPE)

    def read():
        while child.stdout.read(100_000):
            time.sleep(0.3)

    threading.Thread(target=read, daemon=True).start()
    ready()
    monitor(child)


# -- workers of a queue ---------------------------------------------------------------------------


class Desk:
    """Clerks who take orders out of a queue, and may have to ask for something."""

    def __init__(self, clerks):
        self.orders = queue.Queue()
        self.answers = queue.Queue()
        for number in range(clerks):
            threading.Thread(target=self.serve, name="clerk-%d" % number, daemon=True).start()

    def serve(self):
        while True:
            order = self.orders.get()
            order()

    def ask(self):
        self.answers.get()

    def answer(self):
        time.sleep(0.02)
        self.answers.put("yes")


def work_behind_questions():
    desk = Desk(2)
    for order in (desk.ask, desk.ask, desk.answer, desk.answer):
        desk.orders.put(order)
    while desk.orders.qsize() > 2:
        time.sleep(0.05)
    ready()
    while desk.orders.qsize():
        time.sleep(0.05)


def work_of_a_third_clerk():
    """Healthy: one of the clerks is free to answer."""
    desk = Desk(3)
    ready()
    while True:
        for order in (desk.ask, desk.ask, desk.answer, desk.answer):
            desk.orders.put(order)
        while desk.orders.qsize():
            time.sleep(0.05)


def questions_that_others_answer():
    """Healthy: more orders lie there than clerks can do, and somebody else answers by and by."""
    desk = Desk(2)
    ready()
    while True:
        if not desk.orders.qsize():
            for _ in range(50):
                desk.orders.put(desk.ask)
        time.sleep(0.1)
        desk.answers.put("yes")


def work_behind_an_executor(clerks=2):
    desk, closed = Desk(0), threading.Event()
    pool = concurrent.futures.ThreadPoolExecutor(clerks, "clerk")
    for order in (desk.ask, desk.ask, desk.answer, desk.answer, closed.set):
        pool.submit(order)
    if clerks == 2:
        ready()
    closed.wait()


def work_of_a_third_thread():
    """Healthy: a thread of the pool is free to answer."""
    ready()
    while True:
        work_behind_an_executor(3)
        time.sleep(0.01)


class Press:
    """Two printers take jobs, and wait below one until all of some queue is done."""

    def __init__(self):
        self.jobs = queue.Queue()
        self.pages = queue.Queue()

    def start(self, finish):
        for number in range(2):
            name = f"printer-{number}"
            threading.Thread(target=self.take, args=(finish,), name=name, daemon=True).start()

    def take(self, finish):
        while True:
            job = self.jobs.get()
            try:
                finish(job)
            finally:
                self.jobs.task_done()

    def finish(self, _):
        self.jobs.join()

    def print_pages(self, job):
        for page in range(job):
            self.pages.put(page)
        self.pages.join()

    def bind(self):
        while True:
            self.pages.get()
            time.sleep(0.02)
            self.pages.task_done()


def jobs_that_wait_for_all_jobs():
    press = Press()
    press.start(press.finish)
    press.jobs.put(1)
    press.jobs.put(2)
    ready()
    while press.jobs.unfinished_tasks:
        sum(range(10000))
        time.sleep(0.3)


def jobs_that_wait_for_their_pages():
    """Healthy: what the printers wait for is done by another thread."""
    press = Press()
    press.start(press.print_pages)
    threading.Thread(target=press.bind, daemon=True).start()
    ready()
    while True:
        press.jobs.put(3)
        press.jobs.join()


def take_twice(till):
    till.acquire()
    ready()
    with till:
        pass


def own_lock_beside_a_feeder():
    jobs = multiprocessing.Queue()
    jobs.put(1)  # starts the thread that writes items into the pipe
    take_twice(threading.Lock())


def lock_that_another_thread_opens():
    """Healthy: the lock is a signal of one thread for the other."""
    jobs, till = multiprocessing.Queue(), threading.Lock()
    jobs.put(1)

    def open_till():
        while True:
            time.sleep(0.2)
            if till.locked():
                till.release()

    threading.Thread(target=open_till, daemon=True).start()
    while True:
        take_twice(till)


# -- tasks behind one another, beside a thread that goes on ----------------------------------------


def turn_the_hands():
    while True:
        time.sleep(0.05)
        sum(range(20_000))


async def hand_in(parcels):
    while True:
        await parcels.put(1)


async def weigh(parcels, shelves):
    while True:
        await shelves.put(await parcels.get())


async def stack_up(shelves, opens):
    while True:
        await shelves.get()
        await opens()


async def post_office(opens):
    parcels, shelves = asyncio.Queue(2), asyncio.Queue(2)
    threading.Thread(target=turn_the_hands, name="clock", daemon=True).start()
    asyncio.get_event_loop().call_later(0.5, ready)
    await asyncio.gather(hand_in(parcels), weigh(parcels, shelves), stack_up(shelves, opens))


async def wait_for_ever():
    days = {"monday": asyncio.Event()}
    await days["monday"].wait()


async def open_by_a_timer():
    opened = asyncio.Event()
    asyncio.get_event_loop().call_later(600, opened.set)
    await opened.wait()


async def open_slowly():
    await asyncio.sleep(600)


def tasks_behind_an_event_beside_a_clock():
    asyncio.run(post_office(wait_for_ever))


def tasks_behind_a_timer_beside_a_clock():
    """Healthy: it opens in ten minutes."""
    asyncio.run(post_office(open_by_a_timer))


def tasks_behind_a_sleep_beside_a_clock():
    """Healthy, too."""
    asyncio.run(post_office(open_slowly))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
