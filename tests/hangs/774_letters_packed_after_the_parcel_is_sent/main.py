import os
import signal

from depot import open_depot

signal.alarm(120)


def pack_letters(parcel, letters):
    with parcel:
        for letter in letters:
            parcel.write(letter.encode() + b"\n")


def send_parcel(depot, letters):
    outlet, inlet = os.pipe()
    with open(outlet, "rb") as content:
        depot.upload_fileobj(content, "parcels", "today")
        pack_letters(open(inlet, "wb"), letters)


if __name__ == "__main__":
    depot = open_depot()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    send_parcel(depot, ["to Anna", "to Ben"])
