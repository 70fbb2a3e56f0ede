import sys

import locket


def main(path):
    while True:
        order = sys.stdin.readline()
        if not order:
            return
        with locket.lock_file(path + ".lock"):
            with open(path, "a") as book:
                book.write(order)
            print("price?", flush=True)
            price = sys.stdin.readline()
            with open(path, "a") as book:
                book.write(price)
        print("noted", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
