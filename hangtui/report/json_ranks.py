"""The ranks of jobs as plain values, for JSON: those that are in the same places as one."""

from typing import Any

from hangtui.diagnosis import Diagnosis
from hangtui.findings.english import runs
from hangtui.findings.roles import places_of
from hangtui.findings.stack_queries import main_thread, own_frame, told
from hangtui.model import host_of
from hangtui.rank_classes import RankClass, rank_classes

Json = dict[str, Any]


def rank_classes_to_dicts(diagnosis: Diagnosis) -> list[Json]:
    """The classes of the ranks of each job, the fewest ranks first."""
    return [_rank_class(one, diagnosis) for one in rank_classes(diagnosis)]


def _rank_class(one: RankClass, diagnosis: Diagnosis) -> Json:
    places, first = places_of(diagnosis.capture), one.processes[0]
    main = main_thread(first)
    return {
        "name": one.name,
        "count": len(one.processes),
        "ranks": runs(places[process.pid].rank for process in one.processes),
        "size": places[first.pid].size,
        "pid": first.pid,
        "host": host_of(first.pid) or diagnosis.capture.host,
        "where": (main and told(own_frame(main))) or None,
        "does": diagnosis.states[main.id].code if main else None,
    }
