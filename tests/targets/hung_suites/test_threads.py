"""Two threads take two locks in opposite order."""

import threading


def test_before():
    pass


def test_transfer():
    left, right = threading.Lock(), threading.Lock()
    both = threading.Barrier(2)

    def back():
        with right:
            both.wait()
            with left:
                pass

    threading.Thread(target=back, name="back", daemon=True).start()
    with left:
        both.wait()
        with right:
            pass


def test_after():
    pass
