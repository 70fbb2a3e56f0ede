"""What ranks wait in together beside the operations of torch: JAX's, and keys of a store."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Child, NodeKind, Severity, Surroundings, process_id
from tests.unit.factories import capture, lock, native_frame, waits
from tests.unit.test_findings_ranks import asking, mismatch, rank, ranks, seen_standing

SITE = "/venv/lib/python3.11/site-packages"
JAX = f"{SITE}/jax/experimental/multihost_utils.py"


def test_a_host_of_jax_is_at_its_end_while_another_gathers() -> None:
    ending = replace(
        rank(
            200,
            ("State.shutdown", f"{SITE}/jax/_src/distributed.py", 199),
            ("clean_up", f"{SITE}/jax/_src/api.py", 2582),
        ),
        native_stack=(native_frame("atexit_callfuncs", ""), native_frame("Py_FinalizeEx", "")),
    )
    gathers = rank(201, ("process_allgather", JAX, 159), ("average", "/app/main.py", 24))

    finding = mismatch(seen_standing(ranks(ending, gathers)))

    assert "rank 0 (process 200) in the shutdown of jax.distributed, at the end of its program" in (
        finding.sentence
    )
    assert "rank 1 (process 201) in process_allgather at main.py:24 (average)" in finding.sentence
    assert finding.advice[0].startswith("Look why one rank is at its end already")
    assert "TORCH" not in " ".join(finding.advice)


def test_who_waits_for_a_key_of_a_rank_that_was_killed() -> None:
    made = seen_standing(ranks(asking(200, 7), asking(201, 7), size=3))
    starter = capture(rank(50, ("launch", "/app/start.py", 3))).processes[0]
    ended = Surroundings(children=(Child(202, "python", "Z"),))
    made = replace(made, processes=(replace(starter, pid=50, around=ended), *made.processes))

    (finding,) = (one for one in findings.run(made) if one.id == "rank-gone")

    assert finding.severity is Severity.WARNING
    assert finding.title.startswith(
        "ranks 0-1 wait in TCPStore for a key of the job at main.py:7 (meet), rank 2 is gone"
    )


def test_ranks_none_of_which_is_missing() -> None:
    reduced = native_frame("c10d::Reducer::finalize_backward()", "/venv/torch/lib/libtorch_cpu.so")
    backward = f"{SITE}/torch/autograd/__init__.py"
    mains = [
        replace(
            rank(pid, ("backward", backward, 395), ("train_step", "/app/main.py", 40)),
            native_stack=(reduced,),
        )
        for pid in (200, 201)
    ]
    made = seen_standing(ranks(*mains))
    found = [one for one in findings.run(made) if one.id == "waiting-in-library"]
    assert found
    assert "All ranks of the job are in it, so that none of them is missing" in found[0].sentence
    assert "when the future that this gave is set" in found[0].sentence

    partly = seen_standing(ranks(*mains, size=3))
    assert not any("none of them is missing" in one.sentence for one in findings.run(partly))


def test_who_takes_part_in_an_operation_of_ranks_hears_of_them() -> None:
    mains = [rank(pid, ("backward", f"{SITE}/torch/autograd/__init__.py", 395),
                  ("train_step", "/app/main.py", 40)) for pid in (200, 201)]  # fmt: skip
    reduced = native_frame("c10d::Reducer::finalize_backward()", "/venv/torch/lib/libtorch_cpu.so")
    condition = lock("done", 5, NodeKind.CONDITION, pid=200, module="/venv/libtorch_cpu.so")
    inside = [replace(one, native_stack=(reduced,)) for one in mains]
    for threads, left in ((inside, False), (mains, True)):
        made = seen_standing(ranks(*threads))
        made = replace(made, waits=(waits(threads[0], condition),), resources=(condition,))
        assert any(one.id == "nobody-left-to-wake" for one in findings.run(made)) is left


def test_ranks_that_all_look_into_a_file_that_the_others_do_not_write() -> None:
    lib = "/venv/torch/lib/libtorch_cpu.so"
    inside = [
        native_frame("c10d::FileStore::wait(std::vector<std::string>)", lib),
        native_frame("gloo::rendezvous::Context::connectFullMesh()", lib),
    ]
    c10d = f"{SITE}/torch/distributed/distributed_c10d.py"
    mains = [
        replace(
            rank(pid, ("new_group", c10d, 5863), ("evaluate", "/app/main.py", 19)),
            native_stack=tuple(inside),
        )
        for pid in (200, 201)
    ]
    made = seen_standing(ranks(*mains))
    launcher = capture(rank(50, ("launch", "/app/start.py", 3))).processes[0]
    child = lock("process 200", 0, NodeKind.PROCESS, pid=200)
    parent = replace(launcher, pid=50)
    made = replace(
        made,
        processes=(parent, *made.processes),
        waits=(*made.waits, replace(waits(parent.threads[0], child), target=process_id(200))),
    )

    first, *others = findings.run(made)

    assert any(one.id == "waiting-for-process" for one in others)
    assert first.id == "waiting-in-library"
    assert "a process group to join it, over a file (FileStore)" in first.title
    assert (
        "and does not find it: rank 0 (process 200) and rank 1 (process 201). Look whether that "
        "file was deleted or replaced"
    ) in first.sentence
