from functools import wraps

from bounded_pool_executor import BoundedThreadPoolExecutor

pool = BoundedThreadPoolExecutor(max_workers=3)


def in_pool(function):
    @wraps(function)
    def submit(*args):
        return pool.submit(function, *args)

    return submit
