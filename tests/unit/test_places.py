"""Whose line a frame is: the application's, a package's, or the standard library's."""

import pytest

from hangtui.analysis.origins import Owner, origin_of
from hangtui.analysis.places import application_index, frame_at, function_of, place, program_frame
from hangtui.model import PythonFrame
from tests.unit.factories import python_frame, thread

SITE = "/opt/conda/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    "filename",
    [
        "/usr/lib/python3.12/threading.py",
        "/usr/lib64/python3.6/queue.py",
        "/root/.pyenv/versions/3.8.18/lib/python3.8/concurrent/futures/thread.py",
        "/opt/python/lib/python3.13t/asyncio/base_events.py",
        "/opt/pypy/lib/pypy3.9/threading.py",
        "/usr/lib/python312.zip/threading.py",
        "<frozen importlib._bootstrap>",
        "<attrs generated init shop.Order>",
        "<__array_function__ internals>",
        "threading.py",
        "concurrent/futures/thread.py",
        "/venv/lib/python3.12/site-packages/sentry_sdk/integrations/threading.py",
        "/venv/lib/python3.12/site-packages/opentelemetry/instrumentation/utils.py",
        "/venv/lib/python3.12/site-packages/wrapt/wrappers.py",
    ],
)
def test_the_standard_library_is_no_application(filename: str) -> None:
    assert origin_of(filename).owner is Owner.STANDARD


@pytest.mark.parametrize(
    ("filename", "package"),
    [
        (f"{SITE}/sqlalchemy/pool/impl.py", "sqlalchemy"),
        (f"{SITE}/six.py", "six"),
        (f"{SITE}/google/cloud/pubsub_v1/client.py", "google.cloud.pubsub_v1"),
        (f"{SITE}/google/api_core/retry.py", "google.api_core"),
        (f"{SITE}/azure/storage/blob/__init__.py", "azure.storage.blob"),
        (f"{SITE}/zope/proxy.py", "zope.proxy"),
        ("/usr/lib/python3/dist-packages/apt/cache.py", "apt"),
        ("/home/me/.local/lib/python3.11/site-packages/requests/api.py", "requests"),
        ("/srv/shop/.venv/lib/python3.12/site-packages/celery/__main__.py", "celery"),
        (f"{SITE}/pip/_vendor/urllib3/pool.py", "pip"),
        (f"{SITE}/Foo-1.0-py3.8.egg/foo/bar.py", "foo"),
        ("/srv/shop/_vendor/urllib3/pool.py", "urllib3"),
        ("/root/.pex/installed_wheels/0a/redis-5.0-py3-none-any.whl/redis/client.py", "redis"),
        ("/srv/shop/__pypackages__/3.11/lib/httpx/_client.py", "httpx"),
        (f"/tmp/kernels/ft/cft{'pj47j5y' * 7}.py", "torch"),
    ],
)
def test_packages_are_named_as_they_are_imported(filename: str, package: str) -> None:
    found = origin_of(filename)
    assert (found.owner, found.package) == (Owner.PACKAGE, package)


@pytest.mark.parametrize(
    "filename",
    [
        "/srv/shop/shop.py",
        "/home/me/project/src/shop/orders.py",
        "/srv/shop.pyz/shop/orders.py",
        "/tmp/ipykernel_4711/123456.py",
        f"/srv/ab/cft{'pj47j5y' * 7}.py",
        "<ipython-input-3-0a1b2c>",
        "<dynamic-code>",
        "<python-input-0>",
        "<stdin>",
        "<script>",
        "<doctest shop.orders[2]>",
        "shop/orders.py",
        "/usr/share/shop/shop.py",
        "/srv/lib/shop.py",
        "/srv/shop/library/python/thing.py",
    ],
)
def test_code_of_the_application(filename: str) -> None:
    assert origin_of(filename).owner is Owner.APPLICATION


@pytest.mark.parametrize(
    ("function", "owner"),
    [
        ("<module>", Owner.APPLICATION),
        ("load", Owner.APPLICATION),
        ("__init__", Owner.STANDARD),
        ("__create_fn__.<locals>.__eq__", Owner.STANDARD),
    ],
)
def test_a_command_line_is_told_from_methods_that_were_made(function: str, owner: Owner) -> None:
    assert origin_of("<string>", function).owner is owner


def frame(function: str, filename: str) -> PythonFrame:
    return PythonFrame(function, filename, 1)


LAUNCHER = frame("<module>", "/srv/.venv/bin/gunicorn")
SERVER = frame("Worker.run", f"{SITE}/gunicorn/workers/sync.py")
FRAMEWORK = frame("Flask.wsgi_app", f"{SITE}/flask/app.py")
INSTALLED = frame("report", f"{SITE}/shop/views.py")
CLIENT = frame("get", f"{SITE}/requests/api.py")
RECV = frame("readinto", "/usr/lib/python3.12/socket.py")
SPAWNED = frame("<module>", "<string>")


@pytest.mark.parametrize(
    "stack",
    [
        (RECV, SERVER, LAUNCHER),
        (frame("main", "/usr/lib/python3.12/multiprocessing/resource_tracker.py"), SPAWNED),
        (frame("WorkerPool.integrate", f"{SITE}/execnet/gateway_base.py"), SPAWNED, SPAWNED),
        (RECV, frame("_bootstrap_inner", "/usr/lib/python3.12/threading.py"), INSTALLED),
    ],
    ids=["a tool", "a helper of multiprocessing", "a worker", "what began before the thread"],
)
def test_who_only_starts_others_is_no_application(stack: tuple[PythonFrame, ...]) -> None:
    assert application_index(stack) is None


def test_a_script_in_a_folder_of_programs_that_waits_itself_is_one() -> None:
    script = frame("<module>", "/srv/shop/bin/worker")
    assert application_index((RECV, script)) == 1
    assert application_index((RECV, frame("main", script.filename), script)) == 1


def test_an_application_that_is_installed_is_found_between_its_framework_and_its_client() -> None:
    assert program_frame((RECV, CLIENT, INSTALLED, FRAMEWORK, SERVER, LAUNCHER)) is INSTALLED
    assert program_frame((RECV, SERVER, LAUNCHER)) is SERVER
    assert program_frame((RECV,)) is None


def test_what_a_decorator_made_from_text_is_no_line_of_the_application() -> None:
    inner = frame("SQLite.begin", f"{SITE}/pony/sqlite.py")
    made, caller = frame("begin", "<string>"), frame("commit", f"{SITE}/pony/core.py")
    own = frame("pay", "/srv/shop.py")
    assert application_index((RECV, inner, made, caller, own)) == 4
    assert application_index((RECV, made, caller, own)) == 1


def test_a_formula_that_a_package_evaluates_is_no_line_of_the_application() -> None:
    formula = frame("<module>", "<string>")
    evaluates = frame("eval_expr", f"{SITE}/sympy/parser.py")
    own = frame("answer", "/srv/bot.py")
    inner = frame("Integer._eval_power", f"{SITE}/sympy/numbers.py")
    assert application_index((inner, formula, evaluates, own)) == 3
    assert application_index((inner, formula, evaluates)) == 1
    assert application_index((inner, formula, own)) == 1


def test_what_a_fork_has_copied_is_not_the_childs_place() -> None:
    began = frame("BaseProcess._bootstrap", "/usr/lib/python3.12/multiprocessing/process.py")
    parents = frame("start", "/srv/shop.py")
    assert program_frame((RECV, began, parents)) is None
    assert program_frame((RECV, CLIENT, began, parents)) is CLIENT


def test_the_frame_of_a_line_is_found_by_the_name_of_its_file_alone() -> None:
    stack = (
        PythonFrame("wait", f"{SITE}/quickjs/__init__.py", 305),
        PythonFrame("Function.__call__", f"{SITE}/quickjs/__init__.py", 45),
        PythonFrame("total", "/srv/shop/main.py", 24),
    )
    thread_ = thread("MainThread", python=stack)
    assert frame_at(thread_, "__init__.py:45") == 1
    told = place(thread_, "__init__.py:45") or ""
    assert "quickjs/__init__.py:45 (Function.__call__)" in told
    assert "main.py:24 (total)" in told
    assert frame_at(thread_, "other/__init__.py:45") is None


@pytest.mark.parametrize(
    ("function", "called"),
    [
        ("train.<locals>.<genexpr>", "train"),
        ("Rows.__iter__.<locals>.<listcomp>", "Rows.__iter__"),
        ("run.<locals>.part.<locals>.<genexpr>.<locals>.<genexpr>", "part"),
        ("run.<locals>.part", "part"),
        ("<genexpr>", "<genexpr>"),
    ],
)
def test_an_expression_is_called_after_its_function(function: str, called: str) -> None:
    assert function_of(python_frame(function, 27)) == called
