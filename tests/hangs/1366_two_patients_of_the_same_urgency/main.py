import os

from clinic.day import open_day

FAMILIES = [
    [(3, "brand", "cough"), (3, "brand", "fever")],
    [(2, "kohl", "sprain"), (5, "kohl", "cough")],
    [(5, "marek", "burn"), (5, "marek", "rash")],
    [(5, "marek", "cold"), (1, "marek", "cut")],
]


def main():
    visitors = open_day(FAMILIES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for visitor in visitors:
        visitor.join()


if __name__ == "__main__":
    main()
