"""Would end that, if somebody called it."""

from elsewhere import state


def payment_came():
    state.paid.set()  # sets


class Desk:
    def take(self):
        return state.jobs.get()  # takes
