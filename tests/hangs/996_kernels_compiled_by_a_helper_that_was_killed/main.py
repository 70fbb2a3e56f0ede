import math
import os
import signal
import threading
import time

from torch._inductor.compile_worker.subproc_pool import SubprocPool


def resident_mb(pid):
    with open("/proc/%d/statm" % pid) as file:
        return int(file.read().split()[1]) * 4 // 1024


def watch(pool):
    while True:
        time.sleep(4)
        if resident_mb(pool.process.pid) > LIMIT_MB:
            os.kill(pool.process.pid, signal.SIGKILL)
            return


def compile_all(pool, first):
    parts = [pool.submit(math.factorial, first + number) for number in range(4)]
    return [part.result() for part in parts]


LIMIT_MB = 40


if __name__ == "__main__":
    pool = SubprocPool(2)
    compile_all(pool, 10)
    threading.Thread(target=watch, args=(pool,), name="memory-guard", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        compile_all(pool, 10 + step % 50)
        step += 1
        time.sleep(0.02)
