"""A pool of threads whose jobs wait for further jobs of the same pool: none is left to run them."""

import threading
from concurrent.futures import ThreadPoolExecutor

from sample import ready

pool = ThreadPoolExecutor(2, thread_name_prefix="renderer")
all_began = threading.Barrier(3)


def render_part(number):
    return f"part {number}"


def render_page(number):
    all_began.wait()
    parts = [pool.submit(render_part, number) for number in range(3)]
    return [part.result() for part in parts]


pages = [pool.submit(render_page, number) for number in range(2)]
all_began.wait()
ready()
print([page.result() for page in pages])
