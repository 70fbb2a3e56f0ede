import multiprocessing
import os
import socket

import h2.config
import h2.connection
import h2.events

PARCEL = b"x" * 200_000
HEADERS = [
    (":method", "POST"),
    (":path", "/parcels"),
    (":scheme", "http"),
    (":authority", "depot"),
]


def make_session(client):
    return h2.connection.H2Connection(h2.config.H2Configuration(client_side=client))


def book_in(session, event, weights):
    weights[event.stream_id] = weights.get(event.stream_id, 0) + len(event.data)
    session.acknowledge_received_data(event.flow_controlled_length, event.stream_id)


def take_parcels(listener):
    line, _ = listener.accept()
    session, weights = make_session(False), {}
    session.initiate_connection()
    line.sendall(session.data_to_send())
    while data := line.recv(65536):
        for event in session.receive_data(data):
            if isinstance(event, h2.events.DataReceived):
                book_in(session, event, weights)
            elif isinstance(event, h2.events.StreamEnded):
                session.send_headers(event.stream_id, [(":status", "201")], end_stream=True)
        line.sendall(session.data_to_send())


class Carrier:
    def __init__(self, address):
        self.line = socket.create_connection(address)
        self.session = make_session(True)
        self.session.initiate_connection()
        self.delivered = 0

    def next_events(self):
        self.line.sendall(self.session.data_to_send())
        events = self.session.receive_data(self.line.recv(65536))
        self.delivered += sum(isinstance(one, h2.events.StreamEnded) for one in events)

    def wait_for_room(self, stream):
        while not self.session.local_flow_control_window(stream):
            self.next_events()
        return self.session.local_flow_control_window(stream)

    def send_parcel(self, parcel):
        stream, wanted = self.session.get_next_available_stream_id(), self.delivered + 1
        self.session.send_headers(stream, HEADERS)
        while parcel:
            size = min(self.wait_for_room(stream), 16384, len(parcel))
            self.session.send_data(stream, parcel[:size], end_stream=size == len(parcel))
            parcel = parcel[size:]
        while self.delivered < wanted:
            self.next_events()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    context = multiprocessing.get_context("fork")
    context.Process(target=take_parcels, args=(listener,), name="depot", daemon=True).start()
    carrier = Carrier(listener.getsockname())
    listener.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        carrier.send_parcel(PARCEL)


if __name__ == "__main__":
    main()
