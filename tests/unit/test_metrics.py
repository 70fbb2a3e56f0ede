"""What ``watch --metrics`` writes for Prometheus."""

import re
from pathlib import Path

import pytest

from hangtui.backends.monitor.session import Caught, Occasion
from hangtui.cli.catching import Kept
from hangtui.cli.main import main
from hangtui.cli.metrics import Metrics
from hangtui.diagnosis import diagnose
from tests.unit.factories import abba

_SAMPLE = re.compile(r"hangtui_\w+(\{\w+=\"[\w.+-]*\"(,\w+=\"[\w-]*\")*\})? \d+(\.\d+)?")


def kept(occasion: Occasion) -> Kept:
    capture = abba()
    (finding, *_) = diagnose(capture).findings
    return Kept(Caught(occasion, 100, capture), Path("x.hang"), finding)


def test_each_line_is_one_that_prometheus_reads(tmp_path: Path) -> None:
    path = tmp_path / "hangtui.prom"
    metrics = Metrics(path)
    metrics.watching(2)
    metrics.count(kept(Occasion.STILL))
    metrics.count(kept(Occasion.STILL))
    metrics.count(kept(Occasion.CRASH))

    lines = path.read_text().splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert all(_SAMPLE.fullmatch(line) for line in samples), samples
    names = {re.split(r"[{ ]", line)[0] for line in samples}
    assert names == {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert "hangtui_watched_processes 2" in samples
    assert 'hangtui_hangs_total{finding="deadlock",certainty="proven"} 2' in samples
    assert 'hangtui_ends_total{occasion="crash"} 1' in samples
    assert 'hangtui_ends_total{occasion="killed"} 0' in samples


def test_an_exporter_of_another_user_may_read_it_whole(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "hangtui.prom")
    metrics.watching(1)

    (path,) = tmp_path.iterdir()
    assert path.stat().st_mode & 0o777 == 0o644
    assert path.read_text().endswith("\n")


def test_a_folder_that_is_gone_costs_the_metrics_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Metrics(tmp_path / "gone" / "hangtui.prom").watching(1)
    assert "--metrics could not be written: No such file" in capsys.readouterr().err


def test_a_name_that_no_exporter_reads_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "1", "--metrics", "x.txt"]) == 2
    assert "fix: --metrics /var/lib/prometheus" in capsys.readouterr().err
