import multiprocessing
import os
import signal

signal.alarm(120)


def exchange_borders(barrier):
    barrier.wait()


def simulate_region(barrier, width):
    for _ in range(100 // width):
        exchange_borders(barrier)


def simulate(widths):
    barrier = multiprocessing.Barrier(len(widths))
    for number, width in enumerate(widths[1:], 1):
        arguments = (barrier, width)
        name = "region-%d" % number
        multiprocessing.Process(target=simulate_region, args=arguments, name=name).start()
    simulate_region(barrier, widths[0])


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    simulate([10, 10, 0])
