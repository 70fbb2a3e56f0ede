import oslo_messaging


class Plans:
    def __init__(self, transport):
        target = oslo_messaging.Target(topic="survey")
        self.client = oslo_messaging.get_rpc_client(transport, target, timeout=86400)

    def area(self, lot):
        return self.client.call({}, "area", lot=lot)


class Desk:
    def __init__(self, plans, asks):
        self.plans = plans
        self.asks = asks
        self.quotes = 0

    def area(self, ctxt, lot):
        return 400 + lot % 7 * 20

    def quote(self, ctxt, lot):
        area = self.plans.area(lot) if self.asks else self.area(ctxt, lot)
        self.quotes += 1
        return area * 3
