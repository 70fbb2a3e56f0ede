import threading


class Subscription:
    def __init__(self, hub, topic, heard):
        self.hub = hub
        self.topic = topic
        self.heard = heard
        self.talking = 0
        self.quiet = threading.Condition()

    def deliver(self, item):
        with self.quiet:
            self.talking += 1
        try:
            self.heard(item)
        finally:
            with self.quiet:
                self.talking -= 1
                self.quiet.notify_all()

    def close(self):
        self.hub.remove(self)
        with self.quiet:
            self.quiet.wait_for(lambda: self.talking == 0)


class Hub:
    def __init__(self):
        self.lock = threading.Lock()
        self.topics = {}

    def subscribe(self, topic, heard):
        subscription = Subscription(self, topic, heard)
        with self.lock:
            self.topics.setdefault(topic, []).append(subscription)
        return subscription

    def remove(self, subscription):
        with self.lock:
            self.topics[subscription.topic].remove(subscription)

    def publish(self, topic, item):
        with self.lock:
            subscriptions = list(self.topics.get(topic, ()))
        for one in subscriptions:
            one.deliver(item)
        return len(subscriptions)
