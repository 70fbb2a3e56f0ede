import os
import signal

from twisted.internet import defer, reactor, task

signal.alarm(120)


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.lock = defer.DeferredLock()


@defer.inlineCallbacks
def charge_fee(account, fee):
    yield account.lock.acquire()
    try:
        yield task.deferLater(reactor, 0.05, lambda: None)
        account.balance -= fee
    finally:
        account.lock.release()


@defer.inlineCallbacks
def pay_invoice(account, amount):
    yield account.lock.acquire()
    try:
        account.balance -= amount
        yield charge_fee(account, 1)
    finally:
        account.lock.release()


@defer.inlineCallbacks
def pay_invoices(account, amounts):
    for amount in amounts:
        yield pay_invoice(account, amount)
    reactor.stop()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    reactor.callWhenRunning(pay_invoices, Account(100), [20, 30])
    reactor.run()
