import json
from pathlib import Path

import pytest

from hangtui.backends.process import container
from hangtui.backends.process.container import Engine, Place

ID = "0123456789ab" + "c" * 52


@pytest.mark.parametrize(
    ("cgroup", "expected"),
    [
        (f"12:pids:/docker/{ID}\n0::/docker/{ID}\n", "docker:0123456789ab"),
        (f"0::/system.slice/docker-{ID}.scope\n", "docker:0123456789ab"),
        (f"0::/machine.slice/libpod-{ID}.scope/container\n", "podman:0123456789ab"),
        (f"0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope\n",
         "kubernetes:0123456789ab"),
        (f"1:cpu:/kubepods/burstable/pod1/{ID}\n", "kubernetes:0123456789ab"),
        (f"0::/../{ID}\n", "container:0123456789ab"),
        ("0::/user.slice/user-1000.slice/session-2.scope\n", None),
        ("0::/\n", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_container_by_its_cgroup(cgroup: str, expected: str | None, tmp_path: Path) -> None:
    assert container.title(cgroup, tmp_path) == expected


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_name_that_kubernetes_gave_it(tmp_path: Path) -> None:
    write(tmp_path / f"var/log/containers/web-7d4_shop_app-{ID}.log")

    title = container.title(f"0::/kubepods/pod1/{ID}\n", tmp_path)

    assert title == "kubernetes:0123456789ab shop/web-7d4/app"


def test_the_name_that_docker_gave_it(tmp_path: Path) -> None:
    folder = tmp_path / "var/lib/docker/containers" / ID
    write(folder / "config.v2.json", json.dumps({"Name": "/shop\x1b[2J"}))

    title = container.title(f"0::/docker/{ID}\n", tmp_path)

    assert title is not None
    assert title.startswith("docker:0123456789ab shop")
    assert "\x1b" not in title


def test_the_name_that_podman_gave_it(tmp_path: Path) -> None:
    folder = tmp_path / "var/lib/containers/storage/overlay-containers"
    write(folder / "containers.json", json.dumps([{"id": "f" * 64}, {"id": ID, "names": ["shop"]}]))

    assert container.title(f"0::/libpod-{ID}.scope\n", tmp_path) == "podman:0123456789ab shop"


@pytest.mark.parametrize("content", ["", "{", "[]", '"x"', '[{"id": 1}]', '{"Name": 5}'])
def test_files_that_say_nothing(content: str, tmp_path: Path) -> None:
    write(tmp_path / "var/lib/docker/containers" / ID / "config.v2.json", content)
    write(tmp_path / "var/lib/containers/storage/overlay-containers/containers.json", content)

    assert container.title(f"0::/docker/{ID}\n", tmp_path) == "docker:0123456789ab"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    monkeypatch.setattr("socket.gethostname", lambda: "web-7d4")
    return tmp_path


def test_no_container(root: Path) -> None:
    # A host on which a container runs; it was made from a container's image itself.
    write(root / ".dockerenv")
    store = f"/var/lib/docker/containers/{ID}/mounts/shm"
    write(root / "proc/self/mountinfo", f"21 1 254:0 / / rw\n22 21 0:9 / {store} rw\n")

    assert container.place(root) == Place()
    assert str(container.place(root)) == "on the host"


@pytest.mark.parametrize(
    ("mark", "engine", "folder"),
    [
        (".dockerenv", Engine.DOCKER, "/var/lib/docker/containers"),
        ("run/.containerenv", Engine.PODMAN, "/run/containers/storage/overlay-containers"),
    ],
)
def test_in_a_container(root: Path, mark: str, engine: Engine, folder: str) -> None:
    write(root / mark)
    write(root / "proc/self/mountinfo", f"90 79 254:0 {folder}/{ID}/hostname /etc/hostname rw\n")

    assert container.place(root) == Place(engine, "0123456789ab")


def test_in_a_pod(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    write(root / "var/run/secrets/kubernetes.io/serviceaccount/namespace", "shop\n")

    assert container.place(root) == Place(Engine.KUBERNETES, "web-7d4", "shop")
    assert str(container.place(root)) == "in the pod shop/web-7d4"
