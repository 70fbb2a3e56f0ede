import os
import signal
import threading
import time

from depot import open_depot

signal.alarm(120)


def pack_letters(parcel, letters):
    with parcel:
        for letter in letters:
            parcel.write(letter.encode() + b"\n")


def send_parcel(depot, letters):
    outlet, inlet = os.pipe()
    packer = threading.Thread(target=pack_letters, args=(open(inlet, "wb"), letters), name="packer")
    packer.start()
    with open(outlet, "rb") as content:
        depot.upload_fileobj(content, "parcels", "today")
    packer.join()


if __name__ == "__main__":
    depot = open_depot()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        send_parcel(depot, ["to Anna", "to Ben"])
        time.sleep(0.2)
