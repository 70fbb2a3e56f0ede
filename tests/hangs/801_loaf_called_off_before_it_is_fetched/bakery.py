import threading

from huey import MemoryHuey
from huey.consumer import Consumer

huey = MemoryHuey("bakery", results=True)


@huey.task()
def bake(loaf):
    return loaf + " loaf"


class Bakery(Consumer):
    def _set_signal_handlers(self):
        pass


def open_bakery():
    bakery = Bakery(huey, workers=1, periodic=False, check_worker_health=False)
    threading.Thread(target=bakery.run, name="bakery", daemon=True).start()
