import io
import os
import tarfile
import threading
import time

EARLY = True


def lamp(market):
    while True:
        time.sleep(0.05)
        market["minutes"] += 1
        sum(range(2000))
        time.sleep(0.05)


def carry(fd, carried):
    while piece := os.read(fd, 65536):
        carried.append(len(piece))
        time.sleep(0.02)
    os.close(fd)


def pack(number, carried):
    inner, outer = os.pipe()
    carrier = threading.Thread(target=carry, args=(inner, carried), name="carrier")
    late = number == 3 and not EARLY
    if not late:
        carrier.start()
    with os.fdopen(outer, "wb") as crate, tarfile.open(fileobj=crate, mode="w|") as stall:
        for shelf in range(40):
            info = tarfile.TarInfo("shelf-%d" % shelf)
            info.size = 9000
            stall.addfile(info, io.BytesIO(b"p" * info.size))
    if late:
        carrier.start()
    carrier.join()


def close_stall(carried):
    for number in range(10**6):
        pack(number, carried)


def main():
    market, carried = {"minutes": 0}, []
    threading.Thread(target=lamp, args=(market,), name="lamp", daemon=True).start()
    packer = threading.Thread(target=close_stall, args=(carried,), name="packer")
    packer.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    packer.join()


if __name__ == "__main__":
    main()
