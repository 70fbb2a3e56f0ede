"""What the console passes on to gdb: each line either looks, or is refused with a reason."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hangtui.backends.debugger import commands
from hangtui.backends.debugger.arguments import RefusedError
from hangtui.backends.debugger.commands import checked, completable, completed, unchecked
from hangtui.backends.debugger.expressions import flaw

LOOKING = {
    # values
    "print": "print",
    "p 1": "print 1",
    "p -5": "print -5",
    "p $": "print $",
    "p $1": "print $1",
    "p $$2 + 1": "print $$2 + 1",
    "inspect errno": "print errno",
    "p/x $rdi": "print/x $rdi",
    "p /x $rdi": "print/x $rdi",
    "p $rip": "print $rip",
    "p $_siginfo": "print $_siginfo",
    "p *(int *)$rdi": "print *(int *)$rdi",
    "p *(long*)0x7f00": "print *(long*)0x7f00",
    "p (char *)(x + 1)": "print (char *)(x + 1)",
    "p (unsigned long)($rsp + 8)": "print (unsigned long)($rsp + 8)",
    "p (struct op *)(p->q)": "print (struct op *)(p->q)",
    "p ((PyObject *)x)->ob_type->tp_name": "print ((PyObject *)x)->ob_type->tp_name",
    "p sizeof(int)": "print sizeof(int)",
    "p sizeof (struct op)": "print sizeof (struct op)",
    "p static_cast<PyObject *>(x)->ob_refcnt": "print static_cast<PyObject *>(x)->ob_refcnt",
    "p reinterpret_cast<std::vector<std::vector<int>> *>(x)": None,
    "p x == 3": "print x == 3",
    "p x<=3 && y>=2 || !z": "print x<=3 && y>=2 || !z",
    "p x != 4 ? 1 : 2": "print x != 4 ? 1 : 2",
    "p x<<2>>1": "print x<<2>>1",
    "p ~x ^ -y & (a|b) % 3": "print ~x ^ -y & (a|b) % 3",
    "p &main": "print &main",
    "p &x[2].y->z": "print &x[2].y->z",
    "p x[1][2]@4": "print x[1][2]@4",
    "p - -x": "print - -x",
    "p {int} $rsp": "print {int} $rsp",
    "p {unsigned long}($rsp+8)": "print {unsigned long}($rsp+8)",
    "p {char *} x": "print {char *} x",
    "p 'file.c'::counter": "print 'file.c'::counter",
    "p ns::value": "print ns::value",
    "p x == 'a'": "print x == 'a'",
    r"p x == '\''": r"print x == '\''",
    "p 1.5e3": "print 1.5e3",
    "p .5": "print .5",
    "p a mod b": "print a mod b",
    """p $_streq(name, "a(b)=c")""": """print $_streq(name, "a(b)=c")""",
    "p $_strlen(name)": "print $_strlen(name)",
    "p -pretty -elements 3 -- *x": "print -pretty -elements 3 -- *x",
    "p -array-indexes on -- x": "print -array-indexes on -- x",
    "p a, b": "print a, b",
    "x": "x",
    "x/4gx $rsp": "x/4gx $rsp",
    "x /2i $pc": "x/2i $pc",
    "x/-3xw 0x10": "x/-3xw 0x10",
    "x/s *(char **)($rdi+16)": "x/s *(char **)($rdi+16)",
    # stacks and threads
    "bt": "backtrace",
    "bt 5": "backtrace 5",
    "bt -5": "backtrace -5",
    "bt full": "backtrace full",
    "bt -full -past-main 3": "backtrace -full -past-main 3",
    "bt -frame-arguments all": "backtrace -frame-arguments all",
    "where": "backtrace",
    "backtrace": "backtrace",
    "  bt  ": "backtrace",
    "frame": "frame",
    "f 3": "frame 3",
    "frame level 2": "frame level 2",
    "frame function work": "frame function work",
    "frame address $rsp+16": "frame address $rsp+16",
    "up": "up",
    "up 2": "up 2",
    "down": "down",
    "thread": "thread",
    "t 2": "thread 2",
    "thread 1.2": "thread 1.2",
    "thread find worker.*": "thread find worker.*",
    "thread apply all bt": "thread apply all backtrace",
    "thread apply all -q -s bt full": "thread apply all -q -s backtrace full",
    "thread apply all -ascending p $rip": "thread apply all -ascending print $rip",
    "thread apply 1 2-3 4.1 5.* p x": "thread apply 1 2-3 4.1 5.* print x",
    "t apply 1 -- p/x $rdi": "thread apply 1 print/x $rdi",
    "thread apply all frame apply all i lo": "thread apply all frame apply all info locals",
    "frame apply all p x": "frame apply all print x",
    "frame apply 3 -q p x": "frame apply 3 -q print x",
    "frame apply -3 p x": "frame apply -3 print x",
    "frame apply level 1 2-4 i lo": "frame apply level 1 2-4 info locals",
    "faas p x": "faas print x",
    "taas -q p x": "taas -q print x",
    # listings
    "info threads": "info threads",
    "i th": "info threads",
    "i threads 1-3": "info threads 1-3",
    "i r": "info registers",
    "info registers rip $rsp": "info registers rip $rsp",
    "info all-registers": "info all-registers",
    "info frame": "info frame",
    "i f": "info frame",
    "info locals": "info locals",
    "info args": "info args",
    "info locals -q ^x": "info locals -q ^x",
    "info sharedlibrary": "info sharedlibrary",
    "info sharedlibrary libc.*": "info sharedlibrary libc.*",
    "info symbol 0x1234": "info symbol 0x1234",
    "info symbol $rip": "info symbol $rip",
    "info address main": "info address main",
    "info line *0x1234": "info line *0x1234",
    "info line work.c:12": "info line work.c:12",
    "info scope main": "info scope main",
    "info source": "info source",
    "info signals": "info signals",
    "info signals SIGUSR1": "info signals SIGUSR1",
    "info functions ^take_": "info functions ^take_",
    "info variables -q _PyRuntime": "info variables -q _PyRuntime",
    "info types Py.*Object$": "info types Py.*Object$",
    "info auxv": "info auxv",
    "info stack 3": "info stack 3",
    "info inferiors": "info inferiors",
    "info auto-load": "info auto-load",
    # code and types
    "disassemble": "disassemble",
    "disas /rs main": "disassemble/rs main",
    "disassemble 0x10,+32": "disassemble 0x10,+32",
    "ptype struct op": "ptype struct op",
    "ptype/o struct op": "ptype/o struct op",
    "ptype int (*)(int)": "ptype int (*)(int)",
    "ptype unsigned long": "ptype unsigned long",
    "ptype std::vector<int>": "ptype std::vector<int>",
    "whatis x + 1": "whatis x + 1",
    "list": "list",
    "l 10,20": "list 10, 20",
    "list main": "list main",
    "list work.c:12": "list work.c:12",
    "list ns::f": "list ns::f",
    "list -": "list -",
    "list *0x1234": "list *0x1234",
    "list ,20": "list , 20",
    # how it is shown
    "set print pretty on": "set print pretty on",
    "set p elements 0": "set print elements 0",
    "set print max-depth unlimited": "set print max-depth unlimited",
    "show version": "show version",
    "show print elements": "show print elements",
    "help": "help",
    "help info threads": "help info threads",
}
"""What is typed, and what gdb gets; None: the same with the full name."""

CALLING = [
    "p f()",
    "p f ()",
    "p getpid()",
    "p (int)getpid()",
    'p (int)system("id")',
    "p (f)(1)",
    "p (*f)(1)",
    "p (x)(y)",
    "p ((int (*)(int)) f)(3)",
    "p ((void (*)())0x1234)()",
    "p a.f(1)",
    "p a->f(1)",
    "p ns::f(1)",
    "p f<int>(1)",
    "p f<g<int>>(1)",
    "p 'f'(1)",
    "p 'file.c'::f(1)",
    "p a[0](1)",
    "p 1(2)",
    "p div(4,2)",
    "p not(1)",
    "p operator+(a,b)",
    "p a.operator+(b)",
    "p new int",
    "p delete x",
    "p [object release]",
    "p (id)[object release]",
    "p $rdi(1)",
    "p $1(1)",
    "p $(1)",
    """p $_shell("id")""",
    """p $_gdb_setting("print elements")""",
    """p $_SHELL("id")""",
    "x f()",
    "x/s f()",
    "x/2i f()",
    "p/x f()",
    "p sizeof(f())",
    "ptype f()",
    "whatis f()",
    "disassemble f()",
    "disassemble 0,f()",
    "info symbol f()",
    "info line *f()",
    "list *f()",
    "frame address f()",
    "info frame address f()",
    "thread apply all p f()",
    "frame apply all p f()",
    "thread apply all frame apply all p f()",
    "p -elements f() -- 1",
    "p -pretty -- f()",
    "p x[f()]",
    "p {int} f()",
    "p 1 ? f() : 2",
]
CHANGING = [
    "p x = 3",
    "p x=3",
    "p x==3, x=3",
    "p x += 1",
    "p x-=1",
    "p x *= 2",
    "p x /= 2",
    "p x %= 2",
    "p x &= 1",
    "p x |= 1",
    "p x ^= 1",
    "p x <<= 1",
    "p x >>= 1",
    "p x := 3",
    "p x and_eq 3",
    "p x or_eq 3",
    "p x xor_eq 3",
    "p x++",
    "p ++x",
    "p x--",
    "p --x",
    "p $rip = 0",
    "p $c = 1",
    "p *(long*)0x1234 = 0x4445434b434148",
    "p {int}0x1234 = 3",
    "x x=3",
    "x/4x x=3",
    "ptype x=3",
    "whatis x=3",
    "disassemble x=3",
    "info symbol x=3",
    "info line *x=3",
    "list *x=3",
    "info registers x=3",
    "frame x=3",
    "frame level x=3",
    "up x=3",
    "down x=3",
    "bt x=3",
    "bt full x=3",
    "thread x=3",
    "thread apply x=3 bt",
    "thread apply $x=3 bt",
    "frame apply x=3 bt",
    "thread apply all p x=3",
    "set var x=3",
    "set variable x=3",
    "set x=3",
    "set $rip=0",
    "set {int}0x1234=3",
    "set print elements x=3",
    "print -elements x=3 -- 1",
]
MADE = [
    'p "abc"',
    'p *"abc"',
    'p &"abc"[0]',
    'x/s "abc"',
    'p L"abc"',
    "p {1,2}",
    "p *{1,2}",
    "p &{x}[0] ? {1} : 2",
    'p sizeof("abc")',
]
"""gdb would ask the target for memory to put it into."""
RUNNING = [
    *("run", "r", "start", "starti", "attach 1", "detach", "kill", "k", "continue", "c", "fg"),
    *("step", "s", "next", "n", "stepi", "si", "nexti", "finish", "fin", "until", "advance 3"),
    *("jump 1", "j 1", "signal 9", "queue-signal 9", "interrupt", "checkpoint", "record"),
    *("target core x", "target remote | id", "target exec x"),
]
REST = [
    # shells and languages
    *("shell", "shell id", "!id", "!", "make", "pipe bt | id", "| bt | id", "edit", "edit 3"),
    *("python", "python print(1)", "py 1", "python-interactive 1", "pi 1", "guile 1", "gu 1"),
    "python gdb.execute('set may-write-memory on')",
    "python __import__('os').system('id')",
    *("source /tmp/x", "compile code 1", "compile print 1", 'eval "shell id"'),
    'printf "%s", x',
    *("define x", "document x", "commands", "while 1", "if 1", "end", "alias a=shell"),
    *("define-prefix x", "macro define x shell", "hookpost-print", "with print pretty on -- p 1"),
    *("with print pretty on -- shell id", "w print pretty on -- shell id", "server p 1"),
    *("interpreter-exec mi \"-exec-run\"", "-exec-run", "-interpreter-exec console \"p 1\""),
    *("12-exec-run", "^done", "mi 1", "call 1", "call f()", "output 1", "echo hello"),
    # files
    *("dump binary memory /tmp/x 0 1", "restore /tmp/x", "append memory /tmp/x 0 1", "save x"),
    *("save breakpoints /tmp/x", "save gdb-index /tmp", "generate-core-file /tmp/x", "gcore x"),
    *("file /bin/sh", "symbol-file /tmp/x", "exec-file /tmp/x", "core-file /tmp/x"),
    *("add-symbol-file /tmp/x 0", "add-symbol-file-from-memory 0", "sharedlibrary", "nosharedlib"),
    *("directory /tmp", "cd /tmp", "pwd", "skip file x", "search x", "forward-search x"),
    *("set logging on", "set logging enabled on", "set logging file /tmp/x", "jit-reader-load /x"),
    *("set history save on", "set sysroot /tmp", "set debug-file-directory /tmp", "tui enable"),
    *("maint print symbols /tmp/x", "maintenance info sections", "mt info sections", "load x"),
    *("info proc", "info proc mappings", "info os files", "info macros", "info sources", "info"),
    *("info record", "info checkpoints", "info probes", "info guile", "info types \"x\""),
    # settings and what stops
    *("set may-write-memory on", "set may-call-functions on", "set may-write-memory=on", "set"),
    *("set auto-load safe-path /", "set source open on", "set confirm on", "set print address off"),
    *("set language ada", "set style enabled on", "set environment X=1", "set args x", "set pri x"),
    *("set print symbol-filename on", "set print pretty on; shell id", "unset environment"),
    *("break main", "tbreak main", "b main", "watch x", "catch syscall", "delete", "enable 1"),
    *("display x", "undisplay 1", "handle SIGINT stop", "trace main", "tstart", "inferior 2"),
    *("add-inferior", "clone-inferior", "monitor exit", "disconnect", "flushregs", "stop", "q"),
    *("quit", "exit", "find 0,1,2", "explore x", "apropos x", "complete p"),
    # commands within commands
    *("thread apply all shell id", "thread apply all", "thread apply", "thread apply 1", "taas"),
    *("thread apply all -s -q shell id", "thread apply all -- shell id", "thread apply 1 kill"),
    *("thread apply all python print(1)", "thread apply all thread apply all shell id", "faas"),
    *("frame apply all shell id", "frame apply 1 detach", "frame apply level 1 shell id"),
    *("frame apply x bt", "thread apply all -x bt", "thread apply $a bt", "thread name x"),
    *("faas shell id", "taas shell id", "tfaas shell id", "taas detach", "faas -q python 1"),
    "thread apply 1 thread apply 1 thread apply 1 thread apply 1 bt",
    # lines that are more than one, or not what they look like
    *("", " ", "p 1\nshell id", "p 1\rshell id", "p 1\x00", "p 1\x1b[0m", "p 1\t", "p\xa01"),
    *("p 1\u2028shell id", "p 1 # comment", "# p 1", "p 1\\", "p 1;shell id", "p 1`id`", "p é"),
    *("P 1", "Print 1", "PYTHON 1", "shel id", "pyth 1", "sou x", "info thr\nshell id", "p" * 3000),
    *("p-5", "p 1)", "p (1", "p (1]", "p '", 'p "', "p x[", "p }"),
    *("bt f()", "bt -x", "bt $x", "up f", "thread a", "frame function *f()", "frame function f()"),
    *("list -source x", "list x y", "list f(1)", "list a,b,c", "info line -source x"),
    *("info line ,", "info scope a,b", "show $_x()"),
    *("list x:*0", "help 'x'", "print -x -- 1", "print -- 1", "x/4gx --x", "x --"),
]  # fmt: skip


@pytest.mark.parametrize("line", LOOKING)
def test_what_looks_is_passed_on_with_full_names(line: str) -> None:
    full = LOOKING[line] or "print" + line.removeprefix("p")

    assert checked(line, live=False) == full
    assert checked(line, live=True) == full


@pytest.mark.parametrize("line", LOOKING)
def test_what_gdb_gets_stays_as_it_is(line: str) -> None:
    full = checked(line, live=False)

    assert checked(full, live=False) == full


@pytest.mark.parametrize("line", [*CALLING, *CHANGING, *MADE, *RUNNING, *REST])
def test_everything_else_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(RefusedError) as refused:
        checked(line, live=False)

    assert 0 < len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(("lines", "why"), [(CALLING, "called"), (MADE, "memory")])
def test_the_reason_is_the_one_that_counts(lines: list[str], why: str) -> None:
    reasons = []
    for line in lines:
        with pytest.raises(RefusedError) as refused:
            checked(line, live=False)
        reasons.append(str(refused.value))

    assert sum(why in reason for reason in reasons) > len(lines) * 0.7


@pytest.mark.parametrize("line", RUNNING)
def test_what_runs_is_refused_with_the_key_that_does_it(line: str) -> None:
    with pytest.raises(RefusedError, match="A stops it"):
        checked(line, live=False)
    with pytest.raises(RefusedError, match="R lets it run"):
        checked(line, live=True)


@pytest.mark.parametrize("line", ["python", "shell id", "source x", "eval x", "set var x=1"])
def test_the_way_to_the_rest_is_named(line: str) -> None:
    with pytest.raises(RefusedError, match=r"--allow-console|only how values are printed"):
        checked(line, live=False)


@pytest.mark.parametrize(
    "line", ["python print(1)", "shell id", "set may-write-memory on", "p f()", "!id", "run"]
)
def test_an_open_console_takes_anything(line: str) -> None:
    assert unchecked(line) == line


@pytest.mark.parametrize("line", ["python", "shell", "define x", "quit", "p 1\nshell id", ""])
def test_an_open_console_has_one_line_and_no_end(line: str) -> None:
    with pytest.raises(RefusedError):
        unchecked(line)


def test_only_what_looks_is_completed() -> None:
    assert completable("inf")
    assert completable("info thr")
    assert completable("p $r")
    assert not completable("source /etc/pass")
    assert not completable("thread apply all source /etc/pass")
    assert not completable("info thr\nsource x")
    assert not completable("-x")
    assert completed("in", ("info", "inferior", "interrupt")) == ("info",)
    assert completed("info thr", ("info threads",)) == ("info threads",)


_PIECES = [
    *("p", "x", "info", "thread apply all", "frame apply all", "set print", "shell", "python"),
    *("f", "x", "$rip", "1", "0x10", "=", "==", "+", "-", "--", "++", "(", ")", "[", "]", "{", "}"),
    *("(int)", "(char *)", "*", "&", "<", ">", ">>", "::", ".", "->", "'a'", '"a"', "sizeof", ","),
    *("static_cast", "$_shell", "$_streq", "operator", "and_eq", "/x", "@", "?", ":", "|", "!"),
    ";",
]  # fmt: skip
_LINES = st.lists(st.sampled_from(_PIECES), max_size=14).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda between: between.join(pieces))
)


@given(_LINES | st.text(max_size=60))
def test_what_gets_through_is_understood_again(line: str) -> None:
    try:
        full = checked(line, live=False)
    except RefusedError:
        return
    assert checked(full, live=False) == full
    assert full.split(" ")[0].split("/")[0] in commands._COMMANDS
    assert full.isprintable()


@given(_LINES | st.text(max_size=60))
def test_expressions_that_pass_assign_nothing_and_call_no_name(text: str) -> None:
    if flaw(text) is not None:
        return
    plain = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", text)
    assert not re.search(r"\+\+|--|\$_shell *\(|(?<![\w$])(?:and_eq|operator)(?![\w$])", plain)
    assert "=" not in plain.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "")


@pytest.mark.parametrize(
    "piece", ["(", "[", "{int}", "a<", "sizeof ", "(int)", "1+", "'", "((x)", ">(", "<>("]
)
def test_a_long_line_is_judged_in_no_time(piece: str) -> None:
    before = time.process_time()
    flaw(piece * (commands.LONGEST // len(piece)))

    assert time.process_time() - before < 0.5
