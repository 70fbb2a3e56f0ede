"""What is waited for in functions of libraries, whatever lies below them."""

from collections.abc import Collection, Iterable, Sequence

from hangtui.model import PythonFrame

LOOKS_AFTER_RANKS = ("/torch/distributed/elastic/agent/server/api.py", "_invoke_run")
"""Where the launcher of a job of torch looks after the ranks that it has started on its machine."""
_MONGO = "for a server that it can use, which its monitors look for (server selection)"
_GIVEN = "for somebody to"
"""How it is said of calls that wait until another client gives something: no answer is due."""
_ANSWER = "for the answer to a remote call (gRPC)"
_MESSAGE = "for the next message of a remote call (gRPC)"
ITS_REQUEST = "for its client's next message (gRPC)"
_NEXT_WORDS = (
    ("/uvicorn/lifespan/on.py", "receive"),
    ("/hypercorn/asyncio/lifespan.py", "asgi_receive"),
    ("/hypercorn/trio/lifespan.py", "asgi_receive"),
)
"""Where applications of ASGI wait for what their server tells them of its own start and end."""
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
        "/torch/distributed/elastic/agent/server/api.py",
        "_exit_barrier",
        "for the agents of the other nodes, whose ranks have not ended (torch's elastic agent)",
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
    ("/pymongo/synchronous/topology.py", "_select_servers_loop", _MONGO),
    ("/pymongo/asynchronous/topology.py", "_select_servers_loop", _MONGO),
    ("/paramiko/transport.py", "start_client", "for the SSH server to agree on keys with it"),
    ("/paramiko/transport.py", "open_channel", "for the SSH server to open a channel"),
    ("/paramiko/auth_handler.py", "wait_for_response", "for the SSH server's answer to its login"),
    ("/s3transfer/futures.py", "result", "for a transfer to or from S3 to end"),
    ("/paho/mqtt/client.py", "wait_for_publish", "for the MQTT broker to confirm a message"),
    ("/kafka/producer/future.py", "get", "for Kafka to confirm a record"),
    (
        "/kombu/connection.py",
        "drain_events",
        f"{_GIVEN} publish a message to a queue that it consumes from (kombu's drain_events)",
    ),
    ("/celery/result.py", "get", "for the result of a task of Celery, which a worker has to run"),
    ("/redis/lock.py", "acquire", "for a lock in Redis (Lock), by asking for it again and again"),
    *(
        ("/redis/commands/core.py", name, f"{_GIVEN} push on to a list in Redis ({name.upper()})")
        for name in ("blpop", "brpop", "blmpop", "blmove", "brpoplpush")
    ),
    *(
        ("/redis/commands/core.py", name, f"{_GIVEN} add to a set in Redis ({name.upper()})")
        for name in ("bzpopmin", "bzpopmax", "bzmpop")
    ),
    *(
        ("/redis/commands/core.py", name, f"{_GIVEN} add to a stream in Redis ({name.upper()})")
        for name in ("xread", "xreadgroup")
    ),
    ("/grpc/_channel.py", "__call__", _ANSWER),
    ("/grpc/_channel.py", "result", _ANSWER),
    ("/grpc/aio/_call.py", "__await__", _ANSWER),
    ("/grpc/_channel.py", "_next", _MESSAGE),
    ("/grpc/aio/_call.py", "_read", _MESSAGE),
    ("/grpc/_server.py", "_next", ITS_REQUEST),
)
"""By the file's end and a function on the stack, what is waited for whatever lies below it."""


def call_within(stack: Sequence[PythonFrame]) -> str | None:
    """What the innermost such function waits for that is on a stack; None: there is none."""
    return _told_within(stack, _INSIDE)


_HANDLER = "HandleExceptions["
"""How gRPC's server of asyncio names the task of a handler (grpcio 1.60 to 1.85,
_cython/_cygrpc/aio/server.pyx.pxi): its own functions are on no stack, being compiled."""
_BATCH = "execute_batch of grpc"
"""What such a one awaits that takes or sends a message."""
_SENDS = "write() gave"


def is_handler(task: str | None) -> bool:
    """Whether a task of this name is a handler of gRPC's server of asyncio."""
    return (task or "").startswith(_HANDLER)


def takes_request(task: str | None, awaited: str) -> bool:
    """Whether a task of this name is a handler of gRPC that awaits its client's next message;
    *awaited*: what the future is called."""
    takes = awaited.endswith(_BATCH) and _SENDS not in awaited
    return takes and is_handler(task)


def request_awaited(task: str | None, awaited: str) -> str | None:
    """What such a task waits for; None: it is none."""
    return ITS_REQUEST if takes_request(task, awaited) else None


def given_within(stack: Sequence[PythonFrame]) -> bool:
    """Whether that is what another client may give, or not."""
    return (call_within(stack) or "").startswith(_GIVEN)


_RETRIES = (
    ("/urllib3/util/retry.py", "sleep", "urllib3's Retry"),
    ("/botocore/endpoint.py", "_needs_retry", "botocore's retries"),
    ("/redis/retry.py", "call_with_retry", "redis's Retry"),
    ("/openai/_base_client.py", "_sleep_for_retry", "openai's max_retries"),
    ("/anthropic/_base_client.py", "_sleep_for_retry", "anthropic's max_retries"),
    ("/kombu/utils/functional.py", "retry_over_time", "kombu's retries"),
    ("/google/api_core/retry/retry_unary.py", "retry_target", "google.api_core's Retry"),
    ("/backoff/_sync.py", "retry", "backoff"),
    ("/google/api_core/retry/retry_unary_async.py", "retry_target", "google.api_core's Retry"),
    ("/backoff/_async.py", "retry", "backoff"),
    ("/redis/asyncio/retry.py", "call_with_retry", "redis's Retry"),
    ("/elastic_transport/_transport.py", "perform_request", "elastic_transport's retries"),
    ("/elastic_transport/_async_transport.py", "perform_request", "elastic_transport's retries"),
    ("/aiobotocore/endpoint.py", "_needs_retry", "botocore's retries"),
    ("/nats/aio/client.py", "_select_next_server", "nats's reconnect_time_wait"),
)
"""By the file's end and a function in which a library sleeps between two tries: what has it do
so."""


def retries_within(stack: Sequence[PythonFrame]) -> str | None:
    """What has one sleep who sleeps between two tries; None: it is not known to."""
    return _told_within(stack, _RETRIES)


def hears_of_end(frames: Iterable[PythonFrame]) -> bool:
    """Whether an application of ASGI waits there for the next word of its server: once it has
    started, that it is to end."""
    return stands_in(frames, _NEXT_WORDS)


def stands_in(frames: Iterable[PythonFrame], places: Collection[tuple[str, str]]) -> bool:
    """Whether one of *frames* is in one of *places*: how its file ends, and the function's name."""
    return any(_is_in(frame, *place) for frame in frames for place in places)


def _told_within(stack: Sequence[PythonFrame], table: Iterable[tuple[str, str, str]]) -> str | None:
    """What is told of the innermost frame in one of the places of a table."""
    return next(
        (
            says
            for frame in stack
            for file, function, says in table
            if _is_in(frame, file, function)
        ),
        None,
    )


def _is_in(frame: PythonFrame, file: str, function: str) -> bool:
    name = frame.function.rpartition(".")[2]
    return name == function and frame.filename.endswith(file)
