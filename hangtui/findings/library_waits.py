"""What is waited for in functions of libraries, whatever lies below them."""

from collections.abc import Sequence

from hangtui.model import PythonFrame

LOOKS_AFTER_RANKS = ("/torch/distributed/elastic/agent/server/api.py", "_invoke_run")
"""Where the launcher of a job of torch looks after the ranks that it has started on its machine."""
_INSIDE = (
    (
        "/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py",
        "next_rendezvous",
        "for the agents of the other nodes to join the rendezvous (torchrun), again and again",
    ),
    (
        *LOOKS_AFTER_RANKS,
        "for its ranks to end, at which it looks again and again (torch's elastic agent)",
    ),
    (
        "/vllm/v1/engine/utils.py",
        "wait_for_engine_startup",
        "for its engine to start, at which it looks again and again",
    ),
    ("/vllm/v1/executor/multiproc_executor.py", "wait_for_ready", "for its workers to start"),
    ("/torch/distributed/rpc/api.py", "rpc_sync", "for the answer of a remote call (rpc_sync)"),
    (
        "/torch/distributed/rpc/api.py",
        "_wait_all_workers",
        "for all workers to be through with their remote calls (RPC)",
    ),
    ("/xgboost/tracker.py", "wait_for", "for all workers of its tracker to be through"),
    ("/xgboost/collective.py", "init", "for the other workers to connect to the tracker"),
    (
        "/ray/dag/compiled_dag_node.py",
        "_execute_until",
        "for the result of a run of a compiled graph of Ray",
    ),
    (
        "/ray/serve/batching.py",
        "batch_wrapper",
        (
            "for the result of its batch (serve.batch), which begins once that is full "
            "(max_batch_size) or its waiting time is over (batch_wait_timeout_s)"
        ),
    ),
    (
        "/ray/serve/_private/client.py",
        "delete_apps",
        "for the replicas of an application to end, which they do once their requests have ended",
    ),
    (
        "/ray/serve/_private/request_router/request_router.py",
        "_choose_replica_for_request",
        "for a replica that has room for one more request (max_ongoing_requests)",
    ),
    ("/ray/train/v2/api/train_fn_utils.py", "report", "for all ranks to report to Ray Train"),
)
"""By the file's end and a function on the stack, what is waited for whatever lies below it."""


def call_within(stack: Sequence[PythonFrame]) -> str | None:
    """What the innermost such function waits for that is on a stack; None: there is none."""
    for frame in stack:
        name = frame.function.rpartition(".")[2]
        for file, function, words in _INSIDE:
            if name == function and frame.filename.endswith(file):
                return words
    return None
