import os
from concurrent.futures import ThreadPoolExecutor

RUNNERS = 2


class Kitchen:
    def __init__(self, runners):
        self.runners = ThreadPoolExecutor(runners, thread_name_prefix="runner")
        self.cellar = {"wine": 3, "salt": 9}

    def call(self, name, *inputs):
        return self.runners.submit(getattr(self, name), *inputs)

    def fetch(self, thing):
        return self.cellar[thing]

    def course(self, things):
        fetched = [self.call("fetch", thing) for thing in things]
        return sum(one.result() for one in fetched)

    def banquet(self, courses):
        served = [self.call("course", things) for things in courses]
        return [one.result() for one in served]


class Feast:
    def __init__(self, kitchen):
        self.kitchen = kitchen

    def serve(self):
        return self.kitchen.call("banquet", [["wine", "salt"], ["salt"]]).result()


def main():
    feast = Feast(Kitchen(RUNNERS))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        feast.serve()


if __name__ == "__main__":
    main()
