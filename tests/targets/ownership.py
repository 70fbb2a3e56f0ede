"""Functions whose bytecode tests read: each takes a lock in one way, or looks as if it did.

They are never run. A remark names the place where a frame of a test stands; script/record-code
records their code objects as different interpreters compile them.
"""


def work():
    pass  # the innermost call


def with_one(lock):
    with lock:  # entering
        work()  # inside
    work()  # behind


def with_two(first, second):
    with first:
        with second:
            work()  # inside of both
        work()  # inside of the first


def with_given_back(lock):
    with lock:
        work()  # before it is given back
        lock.release()
        work()  # given back


def with_another_given_back(lock, other):
    with lock:
        other.release()
        work()  # the other given back


def with_taken_again(lock):
    with lock:
        lock.release()
        lock.acquire()  # taking again


def with_taken_twice(lock):
    with lock:
        lock.acquire()  # taking twice
        lock.release()


def acquires(lock):
    work()  # before acquire
    lock.acquire()  # acquiring
    work()  # acquired
    lock.release()
    work()  # released


def acquires_perhaps(lock, wanted):
    if wanted:
        lock.acquire()
    work()  # perhaps acquired


def tries_to_acquire(lock):
    lock.acquire(False)
    work()  # tried to acquire


def guarded(lock):
    lock.acquire()
    try:
        work()  # guarded
    finally:
        lock.release()


def guarded_by_others(lock):
    try:
        work()  # guarded, taken elsewhere
    finally:
        lock.release()


def guarded_for_nothing(lock):
    try:
        work()  # guarded, not taken yet
        lock.acquire()
    finally:
        lock.release()


def releases_later(lock):
    work()  # to be released
    lock.release()


def generator(lock):
    with lock:
        yield  # suspended inside


def generator_without(lock):
    yield  # suspended outside
    with lock:
        work()


def enters_by_acquire(self):
    self.lock.acquire()


def leaves_by_release(self, *error):
    self.lock.release()


def leaves_by_release_of_another(self, *error):
    self.other.release()


def method(self):
    work()  # in a method


def waits(self, waiter):
    waiter.acquire()  # in a wait


def worker(work_queue):
    work()  # in a worker
