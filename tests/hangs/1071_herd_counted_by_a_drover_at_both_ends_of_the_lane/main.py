import multiprocessing
import os

import pysam

HEADER = {"HD": {"VN": "1.6"}, "SQ": [{"SN": "lane", "LN": 1000}]}
KEEP_OTHER_END = True


def count_herd(lane, entrance, answer):
    if not KEEP_OTHER_END:
        entrance.close()
    with pysam.AlignmentFile(lane.fileno(), "rb") as herd:
        answer.send(sum(1 for animal in herd.fetch(until_eof=True)))


def animal(number, header):
    one = pysam.AlignedSegment(header)
    one.query_name = "cow-%d" % number
    one.query_sequence = "ACGT"
    one.flag = 0
    one.reference_id = 0
    one.reference_start = number
    one.cigarstring = "4M"
    return one


class Lane:
    def __init__(self):
        self.exit, self.entrance = multiprocessing.Pipe(False)
        self.heard, self.told = multiprocessing.Pipe(False)

    def start_counter(self):
        ends = (self.exit, self.entrance, self.told)
        self.counter = multiprocessing.Process(target=count_herd, args=ends, name="counter")
        self.counter.start()

    def drive(self, size):
        header = pysam.AlignmentHeader.from_dict(HEADER)
        with pysam.AlignmentFile(self.entrance.fileno(), "wbu", header=header) as herd:
            for number in range(size):
                herd.write(animal(number, header))
        self.entrance.close()

    def total(self):
        size = self.heard.recv()
        self.counter.join()
        return size


def evening(size):
    lane = Lane()
    lane.start_counter()
    lane.drive(size)
    return lane.total()


def main():
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evening(12)


if __name__ == "__main__":
    main()
