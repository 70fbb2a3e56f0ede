"""The commands in examples/ do what they say."""

import re
import textwrap

from tests.container import images
from tests.container.conftest import Container, started

EXAMPLES = images.ROOT / "examples"
HEALTHY = ("python3", "-c", "print('ready', flush=True); __import__('time').sleep(1800)")


def liveness() -> str:
    """The shell script of the Kubernetes probe."""
    text = (EXAMPLES / "kubernetes" / "liveness.yaml").read_text()
    found = re.search(r"- \|\n(.*?)\n\s+initialDelaySeconds", text, re.DOTALL)
    assert found
    return textwrap.dedent(found[1])


def health_check() -> str:
    """The command of the compose file, whose $$ is a single $."""
    found = re.search(r'CMD-SHELL, "(.*)"\]', (EXAMPLES / "compose.yaml").read_text())
    assert found
    return found[1].replace("$$", "$")


def test_the_probe_ends_a_deadlocked_container_and_keeps_the_evidence(hung: Container) -> None:
    hung.exec("mkdir", "-p", "/evidence")
    done = hung.exec("sh", "-c", liveness())
    (kept,) = hung.exec("ls", "/evidence").output.split()
    shown = hung.exec("hangtui", "check", f"/evidence/{kept}")
    hung.exec("rm", "-r", "/evidence")

    assert done.code == 1, done.errors
    assert kept.endswith(".hang")
    assert shown.code == 1
    assert hung.exec("sh", "-c", health_check()).code == 1


def test_the_probe_leaves_a_healthy_container_alone() -> None:
    with started(images.DEBUG, command=HEALTHY) as container:
        assert container.exec("sh", "-c", liveness()).code == 0
        assert container.exec("sh", "-c", health_check()).code == 0


def test_the_probe_that_cannot_tell_is_no_reason_to_restart() -> None:
    with started(images.DEBUG, "--user", "1000:1000") as container:
        as_root = ("--user", "0:0")
        assert container.exec("hangtui", "check", "1", options=as_root).code == 2
        assert container.exec("sh", "-c", liveness(), options=as_root).code == 0
        assert container.exec("sh", "-c", health_check(), options=as_root).code == 0
