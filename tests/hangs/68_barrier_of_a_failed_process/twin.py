import multiprocessing
import os
import signal
import time

signal.alarm(120)


def exchange_borders(barrier):
    barrier.wait()


def simulate_region(barrier, pause):
    while True:
        time.sleep(pause)
        exchange_borders(barrier)


def simulate(pauses):
    barrier = multiprocessing.Barrier(len(pauses))
    for number, pause in enumerate(pauses[1:], 1):
        arguments = (barrier, pause)
        name = "region-%d" % number
        multiprocessing.Process(target=simulate_region, args=arguments, name=name).start()
    simulate_region(barrier, pauses[0])


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    simulate([0.01, 0.02, 0.3])
