import threading

from pynetdicom import AE, evt
from pynetdicom.pdu import A_RELEASE_RQ
from pynetdicom.sop_class import CTImageStorage, Verification


class Archive:
    def __init__(self, strict):
        self.strict = strict
        self.received = {}
        self.closed = threading.Event()
        self.entity = AE(ae_title="ARCHIVE")
        self.entity.add_supported_context(CTImageStorage)
        self.entity.add_supported_context(Verification)
        self.entity.acse_timeout = None
        self.entity.network_timeout = None
        self.server = None

    def open(self):
        handlers = [
            (evt.EVT_C_ECHO, self.answer_echo),
            (evt.EVT_PDU_RECV, self.look_at_pdu),
        ]
        self.server = self.entity.start_server(("127.0.0.1", 0), block=False, evt_handlers=handlers)
        return self.server.server_address[1]

    def answer_echo(self, event):
        peer = event.assoc.requestor.ae_title
        self.received[peer] = self.received.get(peer, 0) + 1
        return 0x0000

    def look_at_pdu(self, event):
        if isinstance(event.pdu, A_RELEASE_RQ):
            self.close_study(event.assoc)

    def close_study(self, assoc):
        peer = assoc.requestor.ae_title
        if self.received.get(peer, 0) < self.strict:
            assoc.abort(block=True)
        self.received.pop(peer, None)
        self.closed.set()

    def wait_for_close(self):
        self.closed.wait()
        self.closed.clear()
