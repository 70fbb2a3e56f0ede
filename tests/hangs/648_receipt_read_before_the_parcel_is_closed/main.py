import os
import signal
import threading

import pyarrow as pa
from pyarrow import flight

signal.alarm(120)


class Warehouse(flight.FlightServerBase):
    def __init__(self):
        super().__init__("grpc://127.0.0.1:0")
        self.weight = 0

    def do_put(self, context, descriptor, reader, writer):
        parcels = reader.read_all()
        self.weight += sum(parcels.column("kilos").to_pylist())
        writer.write(b"%d parcels" % parcels.num_rows)


class Sender:
    def __init__(self, port):
        self.client = flight.connect("grpc://127.0.0.1:%d" % port)

    def hand_in(self, kilos):
        table = pa.table({"kilos": kilos})
        path = flight.FlightDescriptor.for_path("parcels")
        writer, receipts = self.client.do_put(path, table.schema)
        writer.write_table(table)
        receipt = receipts.read().to_pybytes()
        writer.close()
        return receipt


if __name__ == "__main__":
    warehouse = Warehouse()
    threading.Thread(target=warehouse.serve, name="warehouse", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(Sender(warehouse.port).hand_in([3, 1, 12]))
