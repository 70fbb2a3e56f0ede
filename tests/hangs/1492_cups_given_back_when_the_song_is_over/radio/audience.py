import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx


def hear(base, lines):
    with httpx.stream("GET", base + "/listen", timeout=300) as answer:
        for heard, _line in enumerate(answer.iter_lines()):
            if heard == lines:
                break


def watch(base):
    while True:
        httpx.get(base + "/health")
        time.sleep(0.3)


def attend(base):
    with ThreadPoolExecutor(5) as people:
        people.submit(watch, base)
        while True:
            visits = [people.submit(hear, base, lines) for lines in (3, 5, 100, 100)]
            for visit in visits:
                visit.result()


if __name__ == "__main__":
    attend(sys.argv[1])
