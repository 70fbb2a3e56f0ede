"""A package's iterator that polls for its next item: ``polled_iterator.py comes|stays``, with one
each 50 ms, or none."""

import sys

from ready import ready

PACKAGE = """
import time

kept = []

def items(every_s):
    began = time.monotonic()
    number = 0
    while True:
        wait(began, every_s * (number + 1))
        number += 1
        kept.append(object())  # else every other one may lie at the same address
        yield kept[-1]

def wait(began, at):
    while time.monotonic() - began < at:
        time.sleep(0.005)
"""
feed = {}
exec(compile(PACKAGE, "/lib/python3/site-packages/feed/__init__.py", "exec"), feed)

ready()
for item in feed["items"](0.05 if sys.argv[1] == "comes" else 1000):
    last = item
