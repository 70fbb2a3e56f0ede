import os
import queue
import signal
import threading
import time

import psutil

WRONG = False


def gauge(house):
    while True:
        house.append(psutil.cpu_percent(interval=0.5))


def visit(opened):
    while True:
        os.kill(os.getpid(), signal.SIGUSR1)
        opened.get()
        time.sleep(0.1)


def main():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGUSR2})
    opened = queue.Queue()
    threading.Thread(target=gauge, args=([],), name="gauge", daemon=True).start()
    threading.Thread(target=visit, args=(opened,), name="visitor", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rung = 0
    while True:
        bell = signal.SIGUSR2 if WRONG and rung > 5 else signal.SIGUSR1
        signal.sigwait({bell})
        rung += 1
        opened.put(rung)


if __name__ == "__main__":
    main()
