import os
import signal
import sys

from py4j.java_gateway import GatewayParameters, JavaGateway

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Warehouse:
    def __init__(self, port):
        self.gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port))

    def count_orders(self, day):
        return self.gateway.entry_point.countOrders(day)


def write_report(warehouse, days):
    return {day: warehouse.count_orders(day) for day in days}


if __name__ == "__main__":
    warehouse = Warehouse(start("java_gateway", "lost"))
    print("MARK main pid=%d" % os.getpid())
    write_report(warehouse, ["monday", "tuesday", "wednesday"])
