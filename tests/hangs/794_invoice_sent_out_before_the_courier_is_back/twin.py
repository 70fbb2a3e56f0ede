import os
import signal
import time

from tracing import Courier, provider, use

signal.alarm(120)


def write_invoices(tracer, numbers):
    for number in numbers:
        with tracer.start_as_current_span("invoice %d" % number):
            time.sleep(0.05)


if __name__ == "__main__":
    tracer = use(Courier())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        write_invoices(tracer, range(5))
        provider.force_flush()
