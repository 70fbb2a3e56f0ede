import os
import signal
import time

from tracing import CarefulCourier, provider, use

signal.alarm(120)


def write_invoices(tracer, numbers):
    for number in numbers:
        with tracer.start_as_current_span("invoice %d" % number):
            time.sleep(0.2)


def close_the_month():
    return provider.force_flush()


if __name__ == "__main__":
    tracer = use(CarefulCourier())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    write_invoices(tracer, range(5))
    close_the_month()
