import os
import signal
import time

import ldclient
from ldclient.config import Config
from ldclient.integrations.test_data import TestData
from ldclient.plugin import Plugin, PluginMetadata

from switches import is_enabled

signal.alarm(120)


class AuditTrail(Plugin):
    def __init__(self):
        self.detailed = None

    @property
    def metadata(self):
        return PluginMetadata(name="audit-trail")

    def get_hooks(self, metadata):
        return []

    def register(self, client, metadata):
        self.detailed = client.is_initialized()


def configure(flags):
    config = Config(
        "sdk-key",
        update_processor_class=flags,
        send_events=False,
        plugins=[AuditTrail()],
    )
    ldclient.set_config(config)


def open_counter():
    if is_enabled("self-service"):
        return "self service"
    return "staffed"


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    configure(TestData.data_source())
    while True:
        open_counter()
        time.sleep(0.05)
