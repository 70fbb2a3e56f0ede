import multiprocessing
import os
import time

ALL_OF_THEM = True
END = None


def sort_letters(sacks, sorted_ones):
    while True:
        sack = sacks.get()
        if sack is END:
            return
        sorted_ones.put((sack, sack % 7))


class SortingOffice:
    def __init__(self, hands):
        self.sacks = multiprocessing.Queue()
        self.sorted_ones = multiprocessing.Queue()
        self.sorters = [
            multiprocessing.Process(
                target=sort_letters, args=(self.sacks, self.sorted_ones), name="sorter-%d" % hand
            )
            for hand in range(hands)
        ]

    def close(self):
        for sorter in self.sorters:
            sorter.join()

    def in_order(self, sacks):
        for sorter in self.sorters:
            sorter.start()
        try:
            for sack in sacks:
                self.sacks.put(sack)
                yield self.sorted_ones.get()
            for _ in self.sorters:
                self.sacks.put(END)
        finally:
            self.close()


def first_for(street):
    office = SortingOffice(2)
    found = []
    for sack, where in office.in_order(range(20)):
        if where == street:
            found.append(sack)
            if not ALL_OF_THEM:
                break
    return found


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        first_for(4)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
