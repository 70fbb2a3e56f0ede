"""One way after the other in which processes wait for each other: ``between.py NAME``.

Children end with their parent. Every process that blocks says so first, so that the parent tells
that all is ready only when nobody has anything left to do but to block.
"""

import asyncio
import contextlib
import ctypes
import fcntl
import mmap
import multiprocessing
import multiprocessing.connection
import multiprocessing.resource_sharer
import os
import pty
import select
import signal
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from ready import PYTHON, ready

libc = ctypes.CDLL(None, use_errno=True)
announced, announce = os.pipe()
FULL = 1 << 20
"""More bytes than a pipe holds."""
CLONE_VFORK = 0x4000
GETNCNT = 14
"""semctl: how many wait for a unit (linux/sem.h)."""


def blocking():
    """Say that the next thing that this process does is to block."""
    os.write(announce, b".")


def child(play, *arguments):
    """Run *play* in a process of its own."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(120)
    libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() == parent:
        play(*arguments)
    os._exit(0)


def all_ready(children):
    """Tell that everything is in place, once this many children have said that they block."""
    for _ in range(children):
        os.read(announced, 1)
    ready()


def stay():
    blocking()
    while True:
        signal.pause()


# -- the end of a process -------------------------------------------------------------------------


def full_pipe():
    reader, writer = os.pipe()

    def report():
        os.dup2(writer, 1)
        os.close(reader)
        blocking()
        os.write(1, b"x" * FULL)  # waits full_pipe

    pid = child(report)
    os.close(writer)
    all_ready(1)
    os.waitpid(pid, 0)  # ends full_pipe


def full_pipe_with_heartbeat():
    reader, writer = os.pipe()

    def beat():
        while True:
            time.sleep(30)

    def report():
        threading.Thread(target=beat, daemon=True).start()
        os.close(reader)
        blocking()
        os.write(writer, b"x" * FULL)

    pid = child(report)
    os.close(writer)
    all_ready(1)
    os.waitpid(pid, 0)


def queue_join():
    context = multiprocessing.get_context("fork")
    results = context.Queue()

    def compute():
        libc.prctl(1, signal.SIGKILL)
        results.put("x" * FULL)
        blocking()

    worker = context.Process(target=compute, name="compute")
    worker.start()
    all_ready(1)
    worker.join()  # ends queue_join


def queue_of_two_join():
    context = multiprocessing.get_context("fork")
    results = context.Queue()

    def compute():
        libc.prctl(1, signal.SIGKILL)
        results.put("x" * FULL)
        blocking()

    workers = [context.Process(target=compute) for _ in range(2)]
    for worker in workers:
        worker.start()
    all_ready(2)
    for worker in workers:
        worker.join()  # ends queue_of_two_join


def queue_and_sentinels():
    context = multiprocessing.get_context("fork")
    queues = [context.Queue(), context.Queue()]

    def compute(results):
        libc.prctl(1, signal.SIGKILL)
        multiprocessing.resource_sharer.DupFd(0)  # with a thread that hands it out
        results.put("x" * FULL)
        blocking()

    workers = [context.Process(target=compute, args=(one,)) for one in queues]
    for worker in workers:
        worker.start()
    all_ready(2)
    multiprocessing.connection.wait([worker.sentinel for worker in workers])  # ends sentinels


def wait_for(wait):
    reader, writer = os.pipe()

    def listen():
        os.close(writer)
        blocking()
        os.read(reader, 1)

    pid = child(listen)
    os.close(reader)
    all_ready(1)
    wait(pid)


def waitid():
    wait_for(lambda pid: os.waitid(os.P_PID, pid, os.WEXITED))


def any_child():
    reader, writer = os.pipe()

    def listen():
        os.close(writer)
        blocking()
        os.read(reader, 1)

    child(listen), child(listen)
    all_ready(2)
    os.wait()


def any_child_of_which_one_is_free():
    child(stay)
    any_child()


def group_of_two(wait):
    """One child in the process group that is waited for, and one that is not in it."""
    child(stay)
    os.read(announced, 1)
    reader, writer = os.pipe()

    def lead():
        os.setpgid(0, 0)
        os.close(writer)
        blocking()
        os.read(reader, 1)

    pid = child(lead)
    os.close(reader)
    all_ready(1)
    wait(pid)


def waitid_group():
    group_of_two(lambda pid: os.waitid(os.P_PGID, pid, os.WEXITED))


def waitpid_group():
    group_of_two(lambda pid: os.waitpid(-pid, 0))


def process_descriptor():
    wait_for(lambda pid: select.select([os.pidfd_open(pid)], [], []))


def stopped_child():
    pid = child(stay)
    os.read(announced, 1)
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    ready()
    os.waitpid(pid, 0)


# -- programs in C: they end when their pipes do ---------------------------------------------------


def shell_unread():
    """A shell waits for a program that writes more than a pipe holds."""
    shell = subprocess.Popen("seq 1000000; true", shell=True, stdout=subprocess.PIPE)
    ready()
    shell.wait()  # ends shell_unread


def filter_unread():
    """What comes out of a filter is to be read after all has been written to it."""
    program = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ready()
    program.stdin.write(b"x" * FULL)  # waits filter_unread
    program.stdin.close()
    program.stdout.read()


def filter_unclosed():
    """A program that reads to the end is waited for by who would have to close its input."""
    program = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    program.stdin.write(b"x\n")
    program.stdin.flush()
    ready()
    program.stdout.read()  # waits filter_unclosed


# -- pipes ----------------------------------------------------------------------------------------


def wait_read(fd):
    os.read(fd, 1)


def wait_poll(fd):
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    poll.poll()


def wait_select(fd):
    select.select([fd], [], [])


def wait_epoll(fd):
    epoll = select.epoll()
    epoll.register(fd, select.EPOLLIN)
    epoll.poll()


def wait_a_minute(fd):
    select.select([fd], [], [], 60)


def mutual(wait, pair):
    """Two processes of which each waits for a word from the other one."""
    (own_in, other_out), (other_in, own_out) = pair(), pair()

    def answer():
        os.close(own_in)
        os.close(own_out)
        blocking()
        wait(other_in)

    child(answer)
    os.close(other_in)
    os.close(other_out)
    all_ready(1)
    wait(own_in)


def pipe_read():
    mutual(wait_read, os.pipe)


def pipe_poll():
    mutual(wait_poll, os.pipe)


def pipe_select():
    mutual(wait_select, os.pipe)


def pipe_epoll():
    mutual(wait_epoll, os.pipe)


def pipe_timeout():
    mutual(wait_a_minute, os.pipe)


def poll_several(fds):
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    poll.poll()


def select_several(fds):
    select.select(fds, [], [])


def epoll_several(fds):
    epoll = select.epoll()
    for fd in fds:
        epoll.register(fd, select.EPOLLIN)
    epoll.poll()


def select_several_for_a_minute(fds):
    select.select(fds, [], [], 60)


def several(wait, *plays):
    """The parent waits for a word from any of its children, and these for one from it."""
    ends = []
    for play in plays:
        (from_child, to_parent), (from_parent, to_child) = os.pipe(), os.pipe()
        ends.append((from_child, to_child))

        def answer(play=play, inherited=tuple(ends), reader=from_parent):
            for pair in inherited:
                os.close(pair[0]), os.close(pair[1])
            play(reader)

        child(answer)
        os.close(to_parent)
        os.close(from_parent)
    all_ready(len(plays))
    wait([reader for reader, _ in ends])


def listen(fd):
    blocking()
    os.read(fd, 1)


def several_poll():
    several(poll_several, listen, listen)


def several_select():
    several(select_several, listen, listen)


def several_epoll():
    several(epoll_several, listen, listen)


def several_with_a_limit():
    several(select_several_for_a_minute, listen, listen)


def several_of_which_one_is_free():
    several(poll_several, listen, lambda fd: stay())


def several_and_a_way_to_wake_it():
    reader, writer = os.pipe()
    signal.signal(signal.SIGUSR1, lambda *arguments: os.write(writer, b"!"))
    several(lambda fds: poll_several([*fds, reader]), listen, listen)


def several_and_something_else():
    timer = libc.timerfd_create(1, 0)  # CLOCK_MONOTONIC; nobody has set it yet
    several(lambda fds: poll_several([*fds, timer]), listen, listen)


def own_pipe():
    ends = os.pipe()
    ready()
    os.read(ends[0], 1)


def own_pipe_for_signals():
    reader, writer = os.pipe()
    signal.signal(signal.SIGUSR1, lambda *arguments: os.write(writer, b"!"))
    ready()
    os.read(reader, 1)


def tcp_pair():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        client = socket.create_connection(listener.getsockname())
        return client, listener.accept()[0]


def watches_a_peer():
    """A connection to a peer that never answers, and two pairs of its own to be woken by."""
    client, peer = tcp_pair()
    if not os.fork():
        client.close()
        peer.recv(4)
        time.sleep(600)
    peer.close()
    client.sendall(b"word")
    pair, own = socket.socketpair(), tcp_pair()
    ready()
    epoll_several([client, pair[0], own[0]])


def idle_event_loop():
    pair = socket.socketpair()
    ready()
    wait_epoll(pair[0].fileno())


def idle_asyncio():
    """Nothing but another thread could give this loop something to do."""
    loop = asyncio.new_event_loop()
    loop.call_soon(ready)
    loop.run_forever()


def fifo_open():
    path = os.path.join(tempfile.mkdtemp(), "orders")
    os.mkfifo(path)
    child(remove_soon, path)
    ready()
    open(path).close()


def remove_soon(path):
    """The name is not needed once the other process is about to open it, and is not left behind."""
    while open("/proc/%d/wchan" % os.getppid()).read() not in ("wait_for_partner", "fifo_open"):
        time.sleep(0.001)
    os.unlink(path)
    os.rmdir(os.path.dirname(path))
    stay()


def lingering_close():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    child(accept_and_stay, listener)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, FULL)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3600))
    line.connect(listener.getsockname())
    line.sendall(b"x" * 200000)
    all_ready(1)
    line.close()  # waits lingering_close


def accept_and_stay(listener):
    connection, _ = listener.accept()
    blocking()
    stay()
    connection.close()


OPENS_TWO = "import sys; open(sys.argv[1]).close(); open(sys.argv[2]).close()"


def fifos_crossed():
    """Each opens first what the other one would open second."""
    folder = tempfile.mkdtemp()
    sound, picture = os.path.join(folder, "sound"), os.path.join(folder, "picture")
    os.mkfifo(sound)
    os.mkfifo(picture)
    mixer = subprocess.Popen(
        [sys.executable, "-c", OPENS_TWO, picture, sound],
        preexec_fn=lambda: libc.prctl(1, signal.SIGKILL),  # PR_SET_PDEATHSIG
    )
    while open("/proc/%d/wchan" % mixer.pid).read() not in ("wait_for_partner", "fifo_open"):
        time.sleep(0.001)
    os.unlink(picture)
    child(remove_soon, sound)
    ready()
    open(sound, "w").close()


# -- between vfork and the start of a program ------------------------------------------------------


def vfork_clone():
    vfork(56, CLONE_VFORK | signal.SIGCHLD, 0, 0, 0, 0)


def vfork_clone3():
    arguments = struct.pack("8Q", CLONE_VFORK, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    vfork(435, arguments, len(arguments))


def vfork(*call):
    """A child that never starts its program."""
    ready()
    if ctypes.PyDLL(None).syscall(*call) == 0:  # waits vfork
        libc.prctl(1, signal.SIGKILL)
        signal.pause()


# -- sockets --------------------------------------------------------------------------------------


def mutual_connection(listener, connect):
    def serve():
        connection, _ = listener.accept()
        blocking()
        connection.recv(1)

    child(serve)
    connection = connect(listener.getsockname())
    all_ready(1)
    connection.recv(1)


def tcp(host="127.0.0.1", family=socket.AF_INET):
    listener = socket.socket(family)
    listener.bind((host, 0))
    listener.listen(1)
    mutual_connection(listener, lambda address: socket.create_connection(address[:2]))


def limited_receive():
    """The kernel ends the wait by a limit that C code set for the socket."""

    def connect(address):
        connection = socket.create_connection(address[:2])
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 100, 0))
        return connection

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    mutual_connection(listener, connect)


def limited_by_python():
    def connect(address):
        connection = socket.create_connection(address[:2])
        connection.settimeout(100)
        return connection

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    mutual_connection(listener, connect)


def tcp6():
    tcp("::1", socket.AF_INET6)


def connect_unix(address):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    return connection


def unix_named():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0hangtui-test-%d" % os.getpid())
    listener.listen(1)
    mutual_connection(listener, connect_unix)


def unix_pair():
    own, other = socket.socketpair()

    def answer():
        own.close()
        blocking()
        other.recv(1)

    child(answer)
    other.close()
    all_ready(1)
    own.recv(1)


def own_connection():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    connection = socket.create_connection(listener.getsockname())
    ready()
    connection.recv(1)


def unix_own_connection():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0hangtui-test-%d" % os.getpid())
    listener.listen(1)
    connection = connect_unix(listener.getsockname())
    ready()
    connection.recv(1)


class Patient(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(line)


class Clinic(socketserver.ForkingMixIn, socketserver.TCPServer):
    max_children = 1


def full_clinic():
    """A server that forks for each connection waits until one of its children has ended."""

    def visit(clinic):
        clinic.socket.close()
        kept = socket.create_connection(clinic.server_address)
        asked = socket.create_connection(clinic.server_address)
        blocking()
        asked.recv(1)
        kept.close()

    with Clinic(("127.0.0.1", 0), Patient) as clinic:
        child(visit, clinic)
        all_ready(1)
        clinic.serve_forever(0.05)


def stranger():
    """Whoever started this program listens at the port that is the second argument."""
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    ready()
    connection.recv(1)


def knocks():
    """The same, and has too many who wait to be accepted."""
    ready()
    socket.create_connection(("127.0.0.1", int(sys.argv[2])))


def listening(wait, family, address):
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(1)
    ready()
    wait(listener)


def accept():
    listening(socket.socket.accept, socket.AF_INET, ("127.0.0.1", 0))


def accept6():
    listening(socket.socket.accept, socket.AF_INET6, ("::1", 0))


def accept_unix():
    listening(socket.socket.accept, socket.AF_UNIX, "\0hangtui-test-%d" % os.getpid())


def accept_unix_by_poll():
    address = "\0hangtui-test-%d" % os.getpid()
    listening(lambda one: wait_poll(one.fileno()), socket.AF_UNIX, address)


def accept_by_select():
    listening(lambda one: wait_select(one.fileno()), socket.AF_INET, ("127.0.0.1", 0))


def accept6_by_epoll():
    listening(lambda one: wait_epoll(one.fileno()), socket.AF_INET6, ("::1", 0))


def datagrams(family, address):
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind(address)
    ready()
    server.recvfrom(1)


def udp():
    datagrams(socket.AF_INET, ("127.0.0.1", 0))


def udp6():
    datagrams(socket.AF_INET6, ("::1", 0))


def unix_datagrams():
    datagrams(socket.AF_UNIX, "\0hangtui-test-%d" % os.getpid())


def full_of_datagrams():
    """The child takes none of them: it waits for another one, and so do both for each other."""
    address = "\0hangtui-test-%d" % os.getpid()
    back = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    back.bind(address + "-back")
    back.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        other = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        other.connect(address + "-back")
        other.setblocking(False)
        while True:
            other.send(b".")
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(address)
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.connect(address)

    def answer():
        back.close()
        client.close()
        other.setblocking(True)
        blocking()
        other.send(b".")

    child(answer)
    server.close()
    other.close()
    all_ready(1)
    while True:
        client.send(b".")


def own_pair():
    """Nobody but the thread that reads could write to the other end."""
    own, _other = socket.socketpair()
    ready()
    own.recv(1)


def own_pair_that_a_thread_serves():
    own, other = socket.socketpair()

    def serve():
        time.sleep(60)
        other.send(b".")

    threading.Thread(target=serve, daemon=True).start()
    ready()
    own.recv(1)


def own_terminal_that_a_thread_types_into():
    inside, outside = pty.openpty()

    def serve():
        time.sleep(60)
        os.write(outside, b".\n")

    threading.Thread(target=serve, daemon=True).start()
    ready()
    os.read(inside, 1)


def talk_over_own_pair():
    """Both threads wait for what the other one sends, one of them in select."""
    own, other = socket.socketpair()
    threading.Thread(target=other.recv, args=(1,), daemon=True).start()
    ready()
    select.select([own], [], [])


def select_before_tls():
    """What has come was decrypted along with the byte that was read; none has a certificate."""
    near, far = socket.socketpair()

    def end(context, end, server):
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.options |= ssl.OP_NO_TLSv1_3
        context.set_ciphers("AECDH-AES128-SHA:@SECLEVEL=0")
        return context.wrap_socket(end, server_side=server)

    def serve():
        line = end(ssl.SSLContext(ssl.PROTOCOL_TLS), far, True)
        line.sendall(b"12")
        line.recv(1)

    threading.Thread(target=serve, daemon=True).start()
    line = end(ssl.SSLContext(ssl.PROTOCOL_TLS), near, False)
    line.recv(1)
    ready()
    select.select([line], [], [])


# -- file locks -----------------------------------------------------------------------------------


def file_locks(lock):
    index, data = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
    locked, other_locked = os.pipe(), os.pipe()

    def reopened(file):
        return open("/proc/self/fd/%d" % file.fileno(), "r+")

    def publish(first, second, mine, theirs):
        first, second = reopened(first), reopened(second)
        lock(first)
        os.write(mine[1], b".")
        os.read(theirs[0], 1)
        blocking()
        lock(second)

    child(publish, data, index, locked, other_locked)
    child(all_ready_and_stay)
    publish(index, data, other_locked, locked)


def all_ready_and_stay():
    all_ready(2)
    while True:
        signal.pause()


def flock():
    file_locks(lambda file: fcntl.flock(file, fcntl.LOCK_EX))


def own_flock():
    """A second descriptor of the same process: only the waiting thread could unlock the first."""
    first = tempfile.NamedTemporaryFile()
    second = open(first.name)
    fcntl.flock(first, fcntl.LOCK_EX)
    ready()
    fcntl.flock(second, fcntl.LOCK_EX)


def own_flock_that_a_thread_gives_back():
    first = tempfile.NamedTemporaryFile()
    second = open(first.name)
    fcntl.flock(first, fcntl.LOCK_EX)

    def give_back():
        time.sleep(60)
        fcntl.flock(first, fcntl.LOCK_UN)

    threading.Thread(target=give_back, daemon=True).start()
    ready()
    fcntl.flock(second, fcntl.LOCK_EX)


def open_file_locks():
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    file_locks(lambda file: fcntl.fcntl(file, 38, wanted))  # F_OFD_SETLKW


def record_lock():
    """The kernel notices rings of record locks by itself, hence the parent waits for the end."""
    file = tempfile.TemporaryFile("w+")
    fcntl.lockf(file, fcntl.LOCK_EX, 10, 5)

    def other():
        blocking()
        fcntl.lockf(file, fcntl.LOCK_EX, 1, 7)

    pid = child(other)
    all_ready(1)
    os.waitpid(pid, 0)


def lease():
    """A process opens a file on which another one has a lease, and is let in after a while."""
    file = tempfile.NamedTemporaryFile()
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    fcntl.fcntl(file, 1024, fcntl.F_WRLCK)  # F_SETLEASE

    def open_it():
        blocking()
        os.open(file.name, os.O_RDONLY)

    pid = child(open_it)
    all_ready(1)
    os.waitpid(pid, 0)


def record_lock_elsewhere():
    """Held on other bytes by the parent, and on these by a third process."""
    file = tempfile.TemporaryFile("w+")
    fcntl.lockf(file, fcntl.LOCK_EX, 10, 100)

    def third():
        fcntl.lockf(file, fcntl.LOCK_EX, 10, 5)
        stay()

    def other():
        blocking()
        fcntl.lockf(file, fcntl.LOCK_EX, 1, 7)

    child(third)
    os.read(announced, 1)
    pid = child(other)
    all_ready(1)
    os.waitpid(pid, 0)


# -- shared memory --------------------------------------------------------------------------------


def shared_mutexes():
    """Two pthread mutexes in memory that two processes share, taken in opposite order."""
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    first, second = ctypes.c_void_p(start), ctypes.c_void_p(start + 128)
    attributes = ctypes.create_string_buffer(64)
    libc.pthread_mutexattr_init(attributes)
    libc.pthread_mutexattr_setpshared(attributes, 1)
    for mutex in first, second:
        libc.pthread_mutex_init(mutex, attributes)
    locked, other_locked = os.pipe(), os.pipe()

    def cross(mine, theirs, told, heard):
        libc.pthread_mutex_lock(mine)
        os.write(told[1], b".")
        os.read(heard[0], 1)
        blocking()
        libc.pthread_mutex_lock(theirs)

    child(cross, second, first, locked, other_locked)
    child(all_ready_and_stay)
    cross(first, second, other_locked, locked)


def mapped_mutex(memory):
    """A pthread mutex for several processes in *memory*, which they share."""
    mutex = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory)) + 128)
    attributes = ctypes.create_string_buffer(64)
    libc.pthread_mutexattr_init(attributes)
    libc.pthread_mutexattr_setpshared(attributes, 1)
    libc.pthread_mutex_init(mutex, attributes)
    return mutex


def mutex_in_a_file(ended=False):
    """The parent has it, or a child that has ended; another child waits for it."""
    with tempfile.NamedTemporaryFile(prefix="between-") as file:
        file.truncate(mmap.PAGESIZE)
        memory = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        mutex = mapped_mutex(memory)
        if ended:
            taker = os.fork()
            if not taker:
                libc.pthread_mutex_lock(mutex)
                os._exit(0)
            os.waitpid(taker, 0)
        else:
            libc.pthread_mutex_lock(mutex)

        def take():
            blocking()
            libc.pthread_mutex_lock(mutex)

        waiting = child(take)
        all_ready(1)
        os.waitpid(waiting, 0)


def mutex_in_a_file_of_an_ended_process():
    mutex_in_a_file(ended=True)


def named_semaphore():
    """Nobody is left to post it: who has unlinked it at the end is the test."""
    libc.sem_open.restype = ctypes.c_void_p
    name = f"/between-{os.getpid()}"
    semaphore = ctypes.c_void_p(libc.sem_open(name.encode(), os.O_CREAT, 0o600, 0))

    def take():
        blocking()
        libc.sem_wait(semaphore)

    child(take)
    all_ready(1)
    libc.sem_wait(semaphore)


def crossed(first, second):
    """Two processes that multiprocessing made take two of its locks in opposite order."""
    context = multiprocessing.get_context("fork")
    taken, other_taken = context.Event(), context.Event()

    def mirror():
        libc.prctl(1, signal.SIGKILL)
        with second:  # mirrored second
            other_taken.set()
            taken.wait()
            blocking()
            with first:  # mirrored first
                pass

    context.Process(target=mirror, name="mirror").start()
    with first:  # crossed first
        taken.set()
        other_taken.wait()
        all_ready(1)
        with second:  # crossed second
            pass


def crossed_locks():
    context = multiprocessing.get_context("fork")
    crossed(context.Lock(), context.Lock())


def crossed_rlocks():
    context = multiprocessing.get_context("fork")
    crossed(context.RLock(), context.RLock())


def crossed_semaphores():
    context = multiprocessing.get_context("fork")
    crossed(context.BoundedSemaphore(1), context.BoundedSemaphore(1))


def crossed_conditions():
    context = multiprocessing.get_context("fork")
    crossed(context.Condition(), context.Condition())


def crossed_acquires():
    """Without ``with``, and the second process is a new program that was given the locks."""
    context = multiprocessing.get_context("spawn")
    context.set_executable(PYTHON)
    first, second = context.Lock(), context.Lock()
    events = [context.Event() for _ in range(3)]
    context.Process(target=acquire_in_turn, args=(second, first, events)).start()
    taken, both_taken, about = events
    taken.wait()
    first.acquire()
    both_taken.set()
    about.wait()
    ready()
    second.acquire()  # acquires crossed


def acquire_in_turn(own, other, events):
    libc.prctl(1, signal.SIGKILL)
    signal.alarm(120)
    taken, both_taken, about = events
    own.acquire()  # takes crossed
    taken.set()
    both_taken.wait()
    about.set()
    other.acquire()  # waits crossed


def copied_lock():
    """os.fork() copies what a process knows of a lock that it has; the copy has not taken it."""
    lock = multiprocessing.get_context("fork").Lock()
    lock.acquire()

    def take():
        blocking()
        lock.acquire()

    pid = child(take)
    all_ready(1)
    os.waitpid(pid, 0)


def handed_over():
    """One process takes the lock, another one gives it back, and a third one has it now."""
    context = multiprocessing.get_context("fork")
    lock, released = context.Lock(), context.Event()
    lock.acquire()

    def give_back():
        libc.prctl(1, signal.SIGKILL)
        lock.release()
        lock.acquire()
        released.set()
        stay()

    def take():
        libc.prctl(1, signal.SIGKILL)
        blocking()
        lock.acquire()

    context.Process(target=give_back).start()
    released.wait()
    os.read(announced, 1)
    waiter = context.Process(target=take)
    waiter.start()
    all_ready(1)
    waiter.join()


def lock_of_a_killed_process():
    context = multiprocessing.get_context("fork")
    lock = context.Lock()

    def take_and_die():
        lock.acquire()
        os.kill(os.getpid(), signal.SIGKILL)

    def take():
        libc.prctl(1, signal.SIGKILL)
        blocking()
        lock.acquire()  # waits lock_of_a_killed_process

    first = context.Process(target=take_and_die)
    first.start()
    first.join()
    second = context.Process(target=take)
    second.start()
    all_ready(1)
    second.join()


def full_queue():
    """A producer waits for room in a bounded queue; its consumer is busy with something else."""
    jobs = multiprocessing.get_context("fork").Queue(2)

    def consume():
        jobs.get()
        stay()

    child(consume)
    jobs.put("first")
    os.read(announced, 1)
    jobs.put("second")
    jobs.put("third")
    ready()
    jobs.put("fourth")  # waits full_queue


def shared_barrier():
    """Of three parties one comes."""
    arrival = multiprocessing.get_context("fork").Barrier(3)
    child(arrives, arrival)
    all_ready(1)
    stay()


def arrives(arrival):
    blocking()
    arrival.wait()  # arrives


def shared_semaphore():
    semaphore = multiprocessing.get_context("fork").Semaphore(0)

    def take():
        blocking()
        semaphore.acquire()

    child(take)
    all_ready(1)
    semaphore.acquire()


def system_v():
    """The parent takes the only unit and waits for the child, which waits for the unit."""
    identifier = libc.semget(0, 1, 0o600)

    def operate(amount):
        libc.semop(identifier, ctypes.create_string_buffer(struct.pack("Hhh", 0, amount, 0), 6), 1)

    def take():
        blocking()
        operate(-1)

    operate(1)
    operate(-1)
    pid = child(take)
    all_ready(1)
    os.waitpid(pid, 0)


def system_v_of_a_killed_process():
    """The parent waits for the only unit, which a child took that was killed."""
    identifier = libc.semget(0, 1, 0o600)

    def operate(amount):
        libc.semop(identifier, ctypes.create_string_buffer(struct.pack("Hhh", 0, amount, 0), 6), 1)

    operate(1)
    pid = os.fork()
    if pid == 0:
        operate(-1)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    ready()
    operate(-1)


def system_v_workers():
    """Two idle workers: the last one to get something waits for more, as the other does."""
    identifier = libc.semget(0, 1, 0o600)

    def operate(amount):
        libc.semop(identifier, ctypes.create_string_buffer(struct.pack("Hhh", 0, amount, 0), 6), 1)

    def work():
        operate(-1)
        blocking()
        operate(-1)

    child(work), child(work)
    while libc.semctl(identifier, 0, GETNCNT) != 2:  # else the first might take both units
        time.sleep(0.01)
    operate(2)
    all_ready(2)
    os.wait()


def filled_message_queue():
    """A POSIX message queue with room for one message, which is there."""
    name = b"/hangtui-test-%d" % os.getpid()
    size = ctypes.create_string_buffer(struct.pack("8q", 0, 1, 16, 0, 0, 0, 0, 0), 64)
    queue = libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, size)
    libc.mq_unlink(name)
    libc.mq_send(queue, b"first", 5, 0)
    return queue


def full_message_queue():
    """Nobody else has it open."""
    queue = filled_message_queue()
    ready()
    libc.mq_send(queue, b"second", 6, 0)


def message_queue_with_a_reader():
    """Its child has it open as well, and waits for something else."""
    queue = filled_message_queue()
    child(stay)
    all_ready(1)
    libc.mq_send(queue, b"second", 6, 0)


def watches_files():
    """It registers inotify as Python does by default: for room to write as well."""
    watcher = libc.inotify_init1(0)
    quiet = os.path.join(os.path.dirname(os.path.abspath(__file__)), "native")
    libc.inotify_add_watch(watcher, quiet.encode(), 0x100)
    poll = select.poll()
    poll.register(watcher)
    ready()
    poll.poll()


def typist():
    """The parent waits for a prompt, and the child for what the parent would type then."""
    pid, terminal = pty.fork()
    if not pid:
        signal.alarm(120)
        libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        blocking()
        input()  # asks
    all_ready(1)
    os.read(terminal, 100)  # expects


def full_unix_queue():
    """The queue of a Unix socket is full, and the child, which listens there, accepts nobody."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0hangtui-full-queue-%d" % os.getpid())
    listener.listen(0)
    child(stay)
    address = listener.getsockname()
    listener.close()
    waiting = []
    while True:
        waiting.append(socket.socket(socket.AF_UNIX))
        waiting[-1].setblocking(False)
        try:
            waiting[-1].connect(address)
        except BlockingIOError:
            break
    waiting[-1].setblocking(True)
    all_ready(1)
    waiting[-1].connect(address)  # connects


WAIT_PID = """
def wait_pid(pid, timeout=None):
    while os.path.exists("/proc/%d" % pid):
        time.sleep(0.04)
"""


def keeps_a_zombie(write):
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    os.write(write, b"%d" % pid)
    stay()


def wait_as_psutil_does(number):
    functions = {"os": os, "time": time}
    exec(compile(WAIT_PID, "/srv/site-packages/psutil/_psposix.py", "exec"), functions)
    all_ready(1)
    functions["wait_pid"](number)


def polled_process():
    """It has ended, and its parent does not collect it."""
    read, write = os.pipe()
    child(keeps_a_zombie, write)
    wait_as_psutil_does(int(os.read(read, 20)))


def polled_living_process():
    wait_as_psutil_does(child(stay))


def stopped_terminal():
    """Somebody has pressed Ctrl-S: the child cannot write, however much the parent would read."""
    pid, terminal = pty.fork()
    if not pid:
        signal.alarm(120)
        libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        while select.select([], [1], [], 0)[1]:
            pass  # the terminal still takes output
        blocking()
        os.write(1, b"a line of output\n")  # prints
    os.write(terminal, b"\x13")
    all_ready(1)
    os.read(terminal, 100)  # shows


if __name__ == "__main__":
    globals()[sys.argv[1]]()
