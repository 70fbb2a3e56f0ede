from dairy.book import measure


class Round:
    def __init__(self, pool, book, orders, farms):
        self.pool = pool
        self.book = book
        self.orders = orders
        self.farms = farms
        self.days = 0

    def _enter(self, farm):
        def done(future):
            self.book.enter(farm, future.result())
            self.orders.put(farm)

        return done

    def send_out(self):
        sent = []
        for farm in self.farms:
            future = self.pool.submit(measure, farm, 12)
            future.add_done_callback(self._enter(farm))
            sent.append(future)
        return sent

    def close_day(self, sent):
        fetched = [future.result() for future in sent]
        self.days += 1
        return sum(fetched), self.book.total()

    def day(self):
        return self.close_day(self.send_out())


class StrictRound(Round):
    def day(self):
        with self.book.lock:
            return super().day()
