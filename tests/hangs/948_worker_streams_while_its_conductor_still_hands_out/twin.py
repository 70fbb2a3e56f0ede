import multiprocessing
import os
import tempfile
import time

import zmq


def socket_to(context, kind, path):
    socket = context.socket(kind)
    socket.set_hwm(2)
    socket.linger = 0
    if kind == zmq.PULL:
        socket.bind("ipc://" + path)
    else:
        socket.connect("ipc://" + path)
    return socket


def stream(results, number, pages):
    for page in pages:
        results.send_pyobj((number, page[::-1]))


def work(folder):
    context = zmq.Context()
    results = socket_to(context, zmq.PUSH, folder + "/results")
    jobs = socket_to(context, zmq.PULL, folder + "/jobs")
    while True:
        number, page = jobs.recv_pyobj()
        stream(results, number, [page] * PAGES)


def hand_out(jobs, count):
    for number in range(count):
        jobs.send_pyobj((number, PAGE))


def collect(results, count):
    return [results.recv_pyobj() for _ in range(count * PAGES)]


def conduct(folder):
    context = zmq.Context()
    results = socket_to(context, zmq.PULL, folder + "/results")
    jobs = socket_to(context, zmq.PUSH, folder + "/jobs")
    step = 0
    while True:
        count = 1 + step % BURST
        hand_out(jobs, count)
        collect(results, count)
        step += 1
        time.sleep(0.02)


PAGE = bytes(1_000_000)
PAGES = 6
BURST = 2


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="conductor-")
    multiprocessing.Process(target=work, args=(folder,), name="worker", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    conduct(folder)
