"""Files that hangtui writes for its user, readable by nobody else: clipboard and exports."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from hangtui import private_file
from hangtui.diagnosis import Diagnosis
from hangtui.model import Capture


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where hangtui keeps files that may be deleted at any time."""
    base = environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return root / "hangtui"


def write_clip(text: str, folder: Path | None = None) -> Path:
    """Write *text* where it can be found when the terminal did not take it.

    Raises:
        OSError: it cannot be written.
    """
    folder = cache_folder() if folder is None else folder
    private_file.make_folder(folder)
    path = folder / "clip.txt"
    private_file.write(path, _encoded(text))
    return path


def export(diagnosis: Diagnosis, folders: Iterable[Path] | None = None) -> list[Path]:
    """Write the capture, a report as text and as Markdown, and its JSON into the first folder that
    can be written.

    Raises:
        OSError: none of the folders can be written.
    """
    from hangtui import capture_file
    from hangtui.report import json_report, markdown, text_report

    def write(paths: Sequence[Path]) -> None:
        private_file.write(paths[0], capture_file.packed(diagnosis.capture), replace=False)
        _write_new(paths[1], text_report.to_text(diagnosis))
        _write_new(paths[2], markdown.to_markdown(diagnosis))
        _write_new(paths[3], json_report.to_json(diagnosis))

    return _written(diagnosis.capture, (".hang", ".txt", ".md", ".json"), write, folders)


def export_text(
    capture: Capture, end: str, text: str, folders: Iterable[Path] | None = None
) -> list[Path]:
    """Write *text*, which was made from *capture*, into a file whose name ends with *end*.

    Raises:
        OSError: none of the folders can be written.
    """
    return _written(capture, (end,), lambda paths: _write_new(paths[0], text), folders)


def _written(
    capture: Capture,
    ends: Sequence[str],
    write: Callable[[Sequence[Path]], None],
    folders: Iterable[Path] | None,
) -> list[Path]:
    """The files that *write* made, in the first folder in which it could."""
    problem: OSError | None = None
    for folder in folders or (Path.cwd(), cache_folder()):
        try:
            if folder == cache_folder():
                private_file.make_folder(folder)
            stem = _free_stem(folder, _stem(capture), ends)
            paths = [stem.with_name(stem.name + end) for end in ends]
            write(paths)
        except OSError as error:
            problem = error
        else:
            return paths
    raise problem or OSError("no folder to write to")


def _stem(capture: Capture) -> str:
    """``hangtui-41873-20260830T120451``."""
    pid = f"{capture.processes[0].pid}-" if len(capture.processes) == 1 else ""
    time = re.sub(r"[^0-9T]", "", capture.taken_at[:19])
    return f"hangtui-{pid}{time}"


def _free_stem(folder: Path, stem: str, ends: Iterable[str]) -> Path:
    """*stem*, with a number if there are files of that name."""
    for number in range(1, 1000):
        name = stem if number == 1 else f"{stem}-{number}"
        if not any(os.path.lexists(folder / (name + end)) for end in ends):
            return folder / name
    raise OSError(f"too many files {stem}-*")


def _write_new(path: Path, text: str) -> None:
    private_file.write(path, _encoded(text), replace=False)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
