import os

from clinic.day import open_day

FAMILIES = [
    [(3, "brand", "cough"), (3, "brand", "fever")] * 100,
    [(2, "kohl", "sprain"), (5, "kohl", "cough")] * 100,
    [(5, "marek", "burn"), (5, "marek", "rash")] * 100,
]


def main():
    visitors = open_day(FAMILIES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for visitor in visitors:
        visitor.join()


if __name__ == "__main__":
    main()
