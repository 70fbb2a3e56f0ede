import os
import threading

import oslo_messaging
from oslo_config import cfg

from survey.desk import Desk, Plans
from survey.town import Town

if __name__ == "__main__":
    conf = cfg.CONF
    conf([], project="survey")
    transport = oslo_messaging.get_rpc_transport(conf, url="fake://")
    plans = Plans(transport)
    server = oslo_messaging.get_rpc_server(
        transport,
        oslo_messaging.Target(topic="survey", server="office"),
        [Desk(plans, asks=False)],
        executor="threading",
    )
    server.start(override_pool_size=1)
    town = Town(transport)
    threading.Thread(target=town.stroll, name="stroll", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    town.build()
