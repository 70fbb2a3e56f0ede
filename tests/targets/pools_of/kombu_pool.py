"""A pool of connections of kombu."""

import kombu


def taking(size):
    pool = kombu.Connection("memory://").Pool(size)
    return lambda: pool.acquire(block=True)
