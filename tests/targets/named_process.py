"""named_process.py NAME: a child that multiprocessing has started so waits for an item."""

import multiprocessing
import sys

from ready import ready


def convert(queue):
    ready()
    queue.get()


queue = multiprocessing.get_context("fork").Queue()
names = {"name": sys.argv[1]} if sys.argv[1:] else {}
child = multiprocessing.get_context("fork").Process(target=convert, args=(queue,), **names)
child.start()
child.join()
