import os

from mailroom.dispatch import Bundle, Dispatch, Postmark
from mailroom.intake import Intake

HALF = True


def main():
    intake = Intake()
    intake.start()
    Postmark().start()
    bundles = [Bundle(range(number % 9 + 1)) for number in range(600)]
    dispatch = Dispatch(intake.address, bundles, HALF)
    dispatch.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for _ in bundles:
        dispatch.receipts.get()


if __name__ == "__main__":
    main()
