import sys

import sysv_ipc

ORDER, RECEIPT = 1, 2


def main(key, kind):
    tray = sysv_ipc.MessageQueue(key)
    while True:
        order, _type = tray.receive(type=ORDER)
        tray.send(b"packed " + order, type=kind)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
