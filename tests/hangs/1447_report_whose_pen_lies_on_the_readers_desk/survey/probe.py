import json
import os
import sys
import time


def main(descriptor, place):
    with os.fdopen(descriptor, "w") as report:
        for depth in range(5):
            report.write(json.dumps({"place": place, "depth": depth, "clay": depth % 2}) + "\n")
            report.flush()
            time.sleep(0.02)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
