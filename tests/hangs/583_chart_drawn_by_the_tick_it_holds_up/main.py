import os
import signal
import threading
import time
import urllib.request

from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from bokeh.server.server import Server

signal.alarm(120)


class Gauge:
    def __init__(self, document):
        self.document = document
        self.source = ColumnDataSource({"x": [], "y": []})
        self.drawn = threading.Event()
        plot = figure()
        plot.line("x", "y", source=self.source)
        document.add_root(plot)

    def measure(self):
        values = [number * number % 7 for number in range(20)]
        self.document.add_next_tick_callback(lambda: self.draw(values))
        self.drawn.wait()

    def draw(self, values):
        self.source.data = {"x": list(range(len(values))), "y": values}
        self.drawn.set()


def open_page(document):
    gauge = Gauge(document)
    meter = threading.Thread(target=gauge.measure, name="meter")
    meter.start()
    meter.join()


def visit(port):
    while True:
        with urllib.request.urlopen("http://127.0.0.1:%d/" % port) as page:
            page.read()
        time.sleep(0.2)


if __name__ == "__main__":
    server = Server({"/": open_page}, port=0, address="127.0.0.1")
    server.start()
    threading.Thread(target=visit, args=(server.port,), name="visitor", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.io_loop.start()
