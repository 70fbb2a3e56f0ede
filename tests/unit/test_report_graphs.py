"""The wait-for graph in other languages, and the report as a picture."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hangtui.capture_file import load
from hangtui.diagnosis import diagnose
from hangtui.model import Capture, Certainty
from hangtui.report import graph_nodes
from hangtui.report.dot import to_dot
from hangtui.report.mermaid import escaped, to_mermaid
from hangtui.report.svg import to_svg
from tests.tui import samples

ROOT = Path(__file__).parents[2]
NODE = re.compile(r'    (n\d+)(\[|\(\[)"([^"]*)"(\]|\]\))')
EDGE = re.compile(r'    (n\d+) (==>|-->|-\.->)\|"([^"]*)"\| (n\d+)')
HOSTILE = (
    '"]; evil[label="',
    "a\\",
    "<script>alert(1)</script>",
    "]] --> x",
    "数据\u202e",
    "#quot;",
)


def deadlock() -> Capture:
    return load(ROOT / "snapshots" / "story_a_rwlock_gil.hang")


def hostile() -> Capture:
    capture = samples.deadlock()
    process = capture.processes[0]
    threads = tuple(
        replace(thread, name=name) for thread, name in zip(process.threads, HOSTILE, strict=False)
    )
    return replace(capture, processes=(replace(process, threads=threads),))


def test_mermaid_draws_the_cycle_thick() -> None:
    capture = deadlock()
    text = to_mermaid(diagnose(capture))

    assert text.startswith("flowchart TD\n")
    assert text.count("==>") == 4
    main = f"MainThread #40;TID {capture.processes[0].pid}#41;"
    assert f'n0(["{main}<br/>rwlock_gil.py:24 #40;stage_buffers#41;"])' in text
    assert "class n0,n1,n2,n3 cycle" in text


def test_inferred_edges_are_dotted() -> None:
    capture = deadlock()
    guess = replace(capture.holds[0].evidence, certainty=Certainty.INFERRED)
    text = to_mermaid(
        diagnose(replace(capture, holds=(replace(capture.holds[0], evidence=guess),)))
    )

    assert "-.->" in text
    assert "held by #40;inferred#41;" in text


def test_nobody_waits() -> None:
    capture = replace(deadlock(), waits=(), holds=())

    assert "nobody waits" in to_mermaid(diagnose(capture))
    assert "->" not in to_dot(diagnose(capture))


def test_names_are_no_syntax() -> None:
    for line in to_mermaid(diagnose(hostile())).splitlines()[1:]:
        assert NODE.fullmatch(line) or EDGE.fullmatch(line) or line.strip().startswith("class")
    assert escaped('"') == "#34;"
    for line in to_dot(diagnose(hostile())).splitlines():
        quotes = re.sub(r"\\.", "", line).count('"')
        assert quotes % 2 == 0


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("capture", [deadlock(), hostile()])
def test_graphviz_understands_it(capture: Capture) -> None:
    done = subprocess.run(
        ["dot", "-Tplain"],
        input=to_dot(diagnose(capture)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "evil" not in [line.split()[1] for line in done.stdout.splitlines() if " " in line]


def test_a_drawing_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_nodes, "MOST", 3)
    text = to_mermaid(diagnose(samples.deadlock()))

    assert len(NODE.findall(text)) == 3
    assert "more nodes" in text
    assert "more nodes" in to_dot(diagnose(samples.deadlock()))


@pytest.mark.parametrize("capture", [deadlock(), samples.hostile()])
def test_report_as_a_picture_is_xml_without_references(capture: Capture) -> None:
    text = to_svg(diagnose(capture))
    words = "".join(ET.fromstring(text).itertext()).replace("\xa0", " ")

    assert "Deadlock" in words
    assert "url(" not in text.replace("url(#", "")
