import json

from hangtui.model.checkup import Ability, Check, Checkup
from hangtui.report.doctor_report import to_json, to_text

FIX = "docker exec -it -u 1000:1000 0123456789ab hangtui 7   (or start it with: docker run ...)"


def checkup(*checks: Check) -> Checkup:
    return Checkup("on the host", "root", 7, "process 7 (python app.py)", checks)


def test_one_line_per_ability_and_fixes_that_can_be_copied() -> None:
    text = to_text(
        checkup(
            Check(Ability.LIST, True, "3 seen"),
            Check(Ability.MEMORY, False, "it runs as another user " * 5, FIX),
            Check(Ability.STOP, False, "the same right", FIX),
            Check(Ability.NVML, False, "there is no GPU"),
        ),
        width=60,
    )

    lines = text.splitlines()
    assert lines[0] == "hangtui doctor: process 7 (python app.py)"
    assert "  list   yes  3 seen" in lines
    assert lines.count(f"{'':14}fix: {FIX}") == 1, "whole, however long, and once"
    assert "              fix: that for memory" in lines
    assert text.count("fix:") == 2


def test_control_characters_are_made_visible() -> None:
    assert "\x1b" not in to_text(checkup(Check(Ability.CORE, False, "x\x1b[2Jy")))


def test_json() -> None:
    answer = json.loads(to_json(checkup(Check(Ability.MEMORY, False, "no", FIX))))

    assert answer["schema"] == "hangtui.doctor/1"
    assert answer["healthy"] is False
    assert answer["checks"] == [
        {"ability": "memory", "works": False, "reason": "no", "fix": FIX},
    ]


def test_healthy_is_what_captures_need() -> None:
    works, fails = (Check(Ability.MEMORY, works, "") for works in (True, False))

    assert checkup(works, Check(Ability.GDB, False, "")).healthy
    assert not checkup(fails).healthy
