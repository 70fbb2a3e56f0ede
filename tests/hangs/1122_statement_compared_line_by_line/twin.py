import itertools
import os
import time
import unittest

WORD = "amount"


class Statement:
    def __init__(self, month):
        self.month = month

    def line(self, number, word):
        return "%05d booked in month %d: %s %d.%02d of account %d" % (
            number,
            self.month,
            word,
            number * 7 % 991,
            number % 100,
            number * 31 % 8191,
        )

    def lines(self, word):
        return [self.line(number, word) for number in range(2000)]


class StatementTest(unittest.TestCase):
    def expected(self, statement):
        return statement.lines(WORD if statement.month % 20 == 0 else "amount")

    def check_statement(self, statement):
        self.assertEqual(statement.lines("amount"), self.expected(statement))

    def test_all_months(self):
        for month in itertools.count(1):
            self.check_statement(Statement(month))
            time.sleep(0.05)


def run_tests():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    unittest.main(argv=["statements"], verbosity=0)


if __name__ == "__main__":
    run_tests()
