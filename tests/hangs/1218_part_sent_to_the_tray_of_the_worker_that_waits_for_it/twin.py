import multiprocessing
import os
import tempfile

import zmq


def work(number, jobs, results):
    context = zmq.Context.instance()
    inbox = context.socket(zmq.PULL)
    inbox.connect(jobs)
    outbox = context.socket(zmq.PUSH)
    outbox.connect(results)
    while True:
        job = inbox.recv_json()
        if job["kind"] == "merge":
            text = merge(context, job["parts"])
        else:
            text = encode(job, results)
            publish(context, job, text)
        outbox.send_json({"job": job["job"], "text": text})


def encode(job, results):
    return "%s:%d" % (job["text"], len(job["text"]))


def publish(context, job, text):
    shelf = context.socket(zmq.PUSH)
    shelf.connect(job["to"])
    shelf.send_string(text)
    shelf.close()


def merge(context, address):
    shelf = context.socket(zmq.PULL)
    shelf.bind(address)
    parts = [await_part(shelf) for _ in range(2)]
    shelf.close()
    return "+".join(parts)


def await_part(shelf):
    return shelf.recv_string()


def ask(trays, results, folder, job):
    shelf = "ipc://" + os.path.join(folder, "shelf-%d" % job)
    requests = [
        {"kind": "encode", "job": job, "text": "first half", "to": shelf},
        {"kind": "encode", "job": job, "text": "second half", "to": shelf},
    ]
    merging = {"kind": "merge", "job": job, "parts": shelf}
    for request in [merging, *requests] if EAGER else [*requests, merging]:
        trays.send_json(request)
    return [results.recv_json() for _ in range(3)]


def main():
    folder = tempfile.mkdtemp(prefix="encode-")
    jobs, answers = ("ipc://" + os.path.join(folder, name) for name in ("jobs", "answers"))
    context = zmq.Context.instance()
    trays = context.socket(zmq.PUSH)
    trays.bind(jobs)
    results = context.socket(zmq.PULL)
    results.bind(answers)
    spawn = multiprocessing.get_context("spawn")
    for number in range(2):
        spawn.Process(
            target=work, args=(number, jobs, answers), name="encoder-%d" % number, daemon=True
        ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    job = 0
    while True:
        ask(trays, results, folder, job)
        job += 1


EAGER = False


if __name__ == "__main__":
    main()
