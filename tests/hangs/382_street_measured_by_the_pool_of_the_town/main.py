import os
import signal
from concurrent.futures import ProcessPoolExecutor

signal.alarm(120)
surveyors = ProcessPoolExecutor(2)


def measure_house(number):
    return 12 + number % 3


def measure_street(houses):
    return sum(surveyors.map(measure_house, range(houses)))


def measure_town(streets):
    return sum(surveyors.map(measure_street, streets))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(measure_town([4, 7, 3]))
