import os
import sqlite3
import tempfile
import time

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
PATH = os.path.join(tempfile.mkdtemp(), "study.db")


def open_notes():
    notes = sqlite3.connect(PATH)
    notes.execute("CREATE TABLE IF NOT EXISTS notes (trial INTEGER, text TEXT)")
    notes.commit()
    return notes


def objective(trial):
    notes = open_notes()
    rate = trial.suggest_float("rate", 0.0, 1.0)
    write_notes(notes, trial, rate)
    notes.close()
    return rate


def write_notes(notes, trial, rate):
    notes.execute("INSERT INTO notes VALUES (?, ?)", (trial.number, "begun"))
    if not LATE:
        notes.commit()
    trial.set_user_attr("half", rate / 2)
    notes.commit()


LATE = True


def tune():
    storage = optuna.storages.RDBStorage(
        "sqlite:///" + PATH, engine_kwargs={"connect_args": {"timeout": 86400}}
    )
    study = optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler())
    study.optimize(objective, n_trials=20)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tune()
        time.sleep(0.01)
