import multiprocessing
import os

HILLS = ["north", "east", "south", "west", "tor"]
MAPS = 0


def explore(hill, maps):
    maps.put((hill, [len(hill) * step for step in range(20)]))


class Camp:
    def __init__(self, size):
        self.maps = multiprocessing.Manager().Queue(size)
        self.scouts = []

    def send(self, hill):
        scout = multiprocessing.Process(target=explore, args=(hill, self.maps), name=hill)
        scout.start()
        self.scouts.append(scout)

    def call_home(self):
        while self.scouts:
            self.scouts.pop().join()

    def atlas(self):
        pages = {}
        while not self.maps.empty():
            hill, drawing = self.maps.get()
            pages[hill] = drawing
        return pages


def summer(camp, hills):
    for hill in hills:
        camp.send(hill)
    camp.call_home()
    return camp.atlas()


def main():
    multiprocessing.set_start_method("fork")
    camp = Camp(MAPS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        summer(camp, HILLS)


if __name__ == "__main__":
    main()
