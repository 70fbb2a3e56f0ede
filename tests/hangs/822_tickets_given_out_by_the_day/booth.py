from ratelimit import limits, sleep_and_retry

DAY = 24 * 3600


class Booth:
    def __init__(self):
        self.sold = []

    @sleep_and_retry
    @limits(calls=3, period=DAY)
    def sell(self, seat):
        self.sold.append(seat)


def sell_row(booth, seats):
    for seat in seats:
        booth.sell(seat)
