"""A section that names another file is not in the copy that gdb gets, whatever it is called."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.backends.gdb import tame_elf
from tests.integration.native_programs import build

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("gcc", "objcopy", "objdump"))), reason="no compiler, or no binutils"
)


def sections(path: Path) -> str:
    return subprocess.check_output(["objdump", "-h", str(path)], text=True)


@pytest.mark.parametrize(
    "name",
    [".debug_sup", ".zdebug_sup", ".debug_gdb_scripts", ".zdebug_gdb_scripts", ".gnu_debuglink"],
)
def test_what_names_files_is_left_out(tmp_path: Path, name: str) -> None:
    program, copy, section = (tmp_path / word for word in ("program", "copy", "section"))
    build("leading_elsewhere.c", program, "-g")
    section.write_bytes(b"\x05\0\0/etc/shadow\0" + bytes(20))
    subprocess.run(["objcopy", "--add-section", f"{name}={section}", program], check=True)
    assert f" {name} " in sections(program)
    with program.open("rb") as file, copy.open("xb+") as sink:
        tame_elf.tame(file, sink, 1 << 28, packed=True)

    assert name not in sections(copy)
    assert " .debug_info " in sections(copy)
