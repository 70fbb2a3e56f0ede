import os
import signal
import socket
import subprocess
import sys
import time

import optuna
from optuna.storages import GrpcStorageProxy, InMemoryStorage, run_grpc_proxy_server

optuna.logging.set_verbosity(optuna.logging.WARNING)


def serve(port):
    run_grpc_proxy_server(InMemoryStorage(), host="127.0.0.1", port=port)


def start_server():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return port, subprocess.Popen([sys.executable, __file__, "serve", str(port)])


def objective(trial):
    return trial.suggest_float("rate", 0, 1) ** 2


def tune(study):
    study.optimize(objective, n_trials=5)


SUSPENDED = True


def main():
    port, server = start_server()
    storage = GrpcStorageProxy(host="127.0.0.1", port=port)
    storage.wait_server_ready(timeout=60)
    study = optuna.create_study(storage=storage)
    tune(study)
    if SUSPENDED:
        os.kill(server.pid, signal.SIGSTOP)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tune(study)
        time.sleep(0.05)


if __name__ == "__main__":
    serve(int(sys.argv[2])) if sys.argv[1:] else main()
