import os
import threading

from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_server import BlockingOSCUDPServer

from stage.dimmer import Dimmer
from stage.rig import Conductor, Rig

if __name__ == "__main__":
    dimmer = Dimmer()
    routes = Dispatcher()
    server = BlockingOSCUDPServer(("127.0.0.1", 0), routes)
    rig = Rig(dimmer.port, server.server_address[1], asks=False)
    routes.map("/cue", rig.on_cue)
    routes.map("/level", rig.on_level)
    conductor = Conductor(server.server_address[1])
    threading.Thread(target=dimmer.serve, name="dimmer", daemon=True).start()
    threading.Thread(target=server.serve_forever, name="desk", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    conductor.conduct()
