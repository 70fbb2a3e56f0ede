import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from hangtui.backends.permission import access, fixes
from hangtui.backends.permission.credentials import SYS_PTRACE, Credentials, read
from hangtui.backends.permission.fixes import Obstacle
from hangtui.backends.process.container import Engine, Place

ID = "0123456789ab" + "c" * 52
USER = Credentials(
    uids=(1000, 1000, 1000),
    gids=(1000, 1000, 1000),
    effective=0,
    permitted=0,
    dumpable=True,
    no_new_privs=False,
    filtered=False,
    user_map="0 0 4294967295",
    groups="0::/\n",
    label=None,
)
CAPS = 0x00A80425FB
"""What Docker and Podman give by default."""
ROOT = replace(USER, uids=(0, 0, 0), gids=(0, 0, 0), effective=CAPS, permitted=CAPS)
MIGHTY = replace(ROOT, effective=CAPS | 1 << SYS_PTRACE, permitted=CAPS | 1 << SYS_PTRACE)


def test_what_may_be_traced() -> None:
    assert access.may_trace(os.getpid())
    assert not access.may_trace(99_999_999)


def test_no_reason_where_nothing_is_refused() -> None:
    assert access.explain(os.getpid(), "it failed") == ("it failed", None)
    assert access.explain(99_999_999, "it failed") == ("it failed", None)


@pytest.mark.parametrize(
    ("ours", "its", "scope", "obstacle", "words"),
    [
        (ROOT, USER, 0, Obstacle.USER, "it runs as user 1000, and hangtui as root"),
        (USER, ROOT, 0, Obstacle.USER, "it runs as root, and hangtui as user 1000"),
        (USER, replace(USER, uids=(1000, 0, 0)), 0, Obstacle.USER, "user 0 (real 1000, saved 0)"),
        (USER, replace(USER, gids=(7, 7, 7)), 0, Obstacle.USER, "it runs as group 7"),
        (USER, replace(USER, dumpable=False), 0, Obstacle.DUMPABLE, "not dumpable"),
        (USER, replace(USER, permitted=1 << 12), 0, Obstacle.CAPABILITIES, "NET_ADMIN"),
        (USER, USER, 1, Obstacle.YAMA, "only parents"),
        (ROOT, ROOT, 2, Obstacle.YAMA, "only CAP_SYS_PTRACE"),
        (MIGHTY, USER, 3, Obstacle.YAMA_OFF, "next boot"),
        (MIGHTY, replace(USER, user_map="0 1 1"), 0, Obstacle.NAMESPACE, "user namespace"),
        (MIGHTY, replace(USER, label="snap.x"), 0, Obstacle.MODULE, "it as snap.x"),
        (USER, USER, 0, Obstacle.UNKNOWN, "does not say why"),
    ],
)
def test_what_forbids_it(
    ours: Credentials, its: Credentials, scope: int, obstacle: Obstacle, words: str
) -> None:
    found, reason = access.judge(ours, its, scope)

    assert found is obstacle
    assert words in reason


DOCKER = Place(Engine.DOCKER, "0123456789ab")
PODMAN = Place(Engine.PODMAN, "0123456789ab")
POD = Place(Engine.KUBERNETES, "web-7", "shop")
ELSEWHERE = replace(USER, groups=f"0::/docker/{ID}\n")


def test_the_fix_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)

    def fix(obstacle: Obstacle) -> str:
        return fixes.fix(obstacle, 42, USER, Place(), same_container=True)

    assert fix(Obstacle.USER) == "sudo hangtui 42"
    assert "sudo sysctl kernel.yama.ptrace_scope=0" in fix(Obstacle.YAMA)
    assert "boot" in fix(Obstacle.YAMA_OFF)
    assert "deny_ptrace" in fix(Obstacle.MODULE)
    assert "outside every user namespace" in fix(Obstacle.NAMESPACE)


def test_the_fix_for_a_root_without_its_capability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    fix = fixes.fix(Obstacle.USER, 42, USER, Place(), same_container=True)
    assert "CapabilityBoundingSet=CAP_SYS_PTRACE" in fix


@pytest.mark.parametrize(("place", "engine"), [(DOCKER, "docker"), (PODMAN, "podman")])
def test_the_fix_in_a_container(place: Place, engine: str) -> None:
    def fix(obstacle: Obstacle, its: Credentials = USER) -> str:
        return fixes.fix(obstacle, 42, its, place, same_container=True)

    as_user = f"{engine} exec -it -u 1000:1000 0123456789ab hangtui 42"
    as_anybody = f"{engine} exec -it --privileged -u 0 0123456789ab hangtui 42"
    assert fix(Obstacle.USER).startswith(as_user)
    assert fix(Obstacle.USER, replace(USER, dumpable=False)).startswith(as_anybody)
    assert fix(Obstacle.USER, ROOT).startswith(as_anybody)
    assert fix(Obstacle.DUMPABLE).startswith(as_anybody)
    assert fix(Obstacle.YAMA).startswith(as_anybody)
    assert f"{engine} run --cap-add SYS_PTRACE" in fix(Obstacle.CAPABILITIES)
    assert "apparmor=unconfined" in fix(Obstacle.MODULE)
    assert fix(Obstacle.NAMESPACE).startswith("on the host: sudo hangtui")


def test_the_fix_beside_a_container() -> None:
    fix = fixes.fix(Obstacle.USER, 42, ELSEWHERE, DOCKER, same_container=False)

    assert "docker run --rm -it --pid container:0123456789ab --cap-add SYS_PTRACE" in fix


@pytest.mark.parametrize(("same", "target"), [(True, "CONTAINER"), (False, "ITS_CONTAINER")])
def test_the_fix_in_a_pod(same: bool, target: str) -> None:
    fix = fixes.fix(Obstacle.USER, 42, USER, POD, same_container=same)

    assert f"kubectl debug -it -n shop web-7 --image=hangtui --target={target}" in fix
    assert "--profile=general" in fix
    assert fixes.YAML in fix


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (DOCKER, "docker run --rm -it --pid container:0123456789ab --cap-add SYS_PTRACE hangtui"),
        (POD, "seccompProfile: {type: Unconfined}"),
        (Place(), "outside the service or sandbox"),
    ],
)
def test_the_fix_for_a_filter(place: Place, words: str) -> None:
    assert words in fixes.unfiltered(place)


def test_nothing_is_filtered_here() -> None:
    assert access.filtered() is None


def test_yama(stand_in_file: Callable[[str], None]) -> None:
    stand_in_file("2\n")
    assert access.yama_scope() == 2
    stand_in_file("odd")
    assert access.yama_scope() == 0


@pytest.fixture
def stand_in_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], None]:
    path = tmp_path_factory.mktemp("yama") / "ptrace_scope"
    monkeypatch.setattr(access, "_YAMA", path)

    def write(text: str) -> None:
        path.write_text(text)

    return write


def test_our_own_credentials() -> None:
    ours = read("self")

    assert ours.uids == os.getresuid()
    assert ours.gids == os.getresgid()
    assert ours.user_map
