import json

from google.cloud import pubsub_v1
from google.cloud.pubsub_v1 import types


class Meters:
    def __init__(self, outstanding, batch):
        flow = types.PublishFlowControl(
            message_limit=outstanding,
            byte_limit=1000000,
            limit_exceeded_behavior=types.LimitExceededBehavior.BLOCK,
        )
        self.client = pubsub_v1.PublisherClient(
            batch_settings=types.BatchSettings(max_messages=batch, max_latency=3600),
            publisher_options=types.PublisherOptions(flow_control=flow),
        )
        self.topic = self.client.topic_path("town", "meters")
        self.sent = []

    def report(self, house, value):
        text = json.dumps({"house": house, "value": value})
        self.sent.append(self.client.publish(self.topic, text.encode()))

    def finish(self):
        self.client.stop()
        for one in self.sent:
            one.result()
