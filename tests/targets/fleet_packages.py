"""Healthy programs built on packages that people run: nothing is wrong in any of them.

The first argument names the program. All of its processes live in one process group, so that
whoever starts it can end it whole.
"""

import asyncio
import http.client
import os
import socket
import sys
import tempfile
import textwrap
import threading

from ready import ready


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def hammer(port):
    """Ask the server again and again."""
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            for _ in range(1000):
                connection.request("GET", "/")
                connection.getresponse().read()
            connection.close()
        except OSError:
            threading.Event().wait(0.05)


def hammer_from_a_child(port):
    if os.fork() == 0:
        for _ in range(2):
            threading.Thread(target=hammer, args=(port,), daemon=True).start()
        hammer(port)


def work(size=3000):
    return sum(i * i for i in range(size))


def application(environ, start_response):
    body = b"%d\n" % work()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def gunicorn():
    """A gunicorn with two workers of three threads."""
    from gunicorn.app.base import BaseApplication

    port = free_port()

    class Application(BaseApplication):
        def load_config(self):
            self.cfg.set("bind", "127.0.0.1:%d" % port)
            self.cfg.set("workers", 2)
            self.cfg.set("threads", 3)
            self.cfg.set("when_ready", lambda server: ready())
            if "control_socket_disable" in self.cfg.settings:  # from version 24 on
                self.cfg.set("control_socket_disable", True)

        def load(self):
            return application

    hammer_from_a_child(port)
    Application().run()


def uvicorn():
    """A uvicorn whose handler also uses the thread pool."""
    import uvicorn

    async def serve(scope, receive, send):
        if scope["type"] != "http":
            return
        loop = asyncio.get_running_loop()
        body = b"%d\n" % await loop.run_in_executor(None, work)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    port = free_port()
    hammer_from_a_child(port)
    config = uvicorn.Config(serve, port=port, log_level="error", lifespan="off")
    threading.Timer(0.5, ready).start()
    uvicorn.Server(config).run()


def joblib():
    """A joblib.Parallel over worker processes."""
    from joblib import Parallel, delayed

    with Parallel(n_jobs=2) as parallel:
        parallel(delayed(work)() for _ in range(4))
        ready()
        while True:
            parallel(delayed(work)(30000) for _ in range(50))


def dask():
    """Dask's threaded scheduler over arrays."""
    import dask.array

    numbers = dask.array.random.random((2000, 2000), chunks=(500, 500))
    (numbers + numbers.T).sum().compute(scheduler="threads", num_workers=4)
    ready()
    while True:
        (numbers + numbers.T).sum().compute(scheduler="threads", num_workers=4)


def numpy():
    """Threads that multiply matrices, under a lock and without one."""
    import numpy as np

    lock, matrix = threading.Lock(), np.random.rand(150, 150)

    def multiply():
        while True:
            product = matrix @ matrix
            with lock:
                matrix[0] = product[0] / product[0].max()

    for _ in range(4):
        threading.Thread(target=multiply, daemon=True).start()
    ready()
    threading.Event().wait()


def pytest_xdist():
    """A pytest run, spread over two workers."""
    import pytest

    folder = tempfile.mkdtemp(prefix="hangtui-fleet-")
    with open(os.path.join(folder, "test_endless.py"), "w") as stream:
        stream.write(
            textwrap.dedent("""
                import pytest

                @pytest.mark.parametrize("number", range(50000))
                def test_number(number):
                    assert sum(i * i for i in range(3000)) >= 0
            """)
        )

    class Started:
        def __init__(self):
            self.seen = False

        def pytest_runtest_logreport(self, report):
            if not self.seen:
                self.seen = True
                ready()

    arguments = ["-q", "-n", "2", "-p", "no:cacheprovider", "--no-header", folder]
    sys.exit(pytest.main(arguments, plugins=[Started()]))


class Squares:
    """A dataset."""

    def __len__(self):
        return 4000

    def __getitem__(self, index):
        work(500)
        return float(index)


def torch_dataloader():
    """A PyTorch DataLoader with worker processes and a thread that pins nothing."""
    from torch.utils.data import DataLoader

    loader = DataLoader(Squares(), batch_size=16, num_workers=2, persistent_workers=True)
    told = False
    while True:
        for batch in loader:
            batch.sum().item()
            if not told:
                told = True
                ready()


if __name__ == "__main__":
    sys.path.pop(0)  # the names of the programs here must not shadow those of packages
    globals()[sys.argv[1]]()
