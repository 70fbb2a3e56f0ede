import sys


def main(district, sheets):
    for sheet in range(sheets):
        print("%s sheet %05d %s" % (district, sheet, "." * 48))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
