"""The words of ``--help``: what ``hangtui`` and each of its commands are for, with examples."""

SUMMARIES = {
    "dump": ("PID|FILE...", "print a report, or JSON"),
    "record": ("PID... -o FILE", "write a capture to a .hang file, to look at later or elsewhere"),
    "gather": ("ssh HOST...", "one capture of many machines, containers, pods, or a job's nodes"),
    "open": ("FILE...", "look at .hang files, core files and crash logs, full screen"),
    "run": ("-- CMD...", "run a command, and capture its crash or its hang"),
    "watch": ("PID", "wait until a process crashes or hangs, and capture that"),
    "check": ("PID|FILE...", "exit with 1 if it is hung: for probes and CI"),
    "serve": ("[PID|FILE]...", "the screens in a browser on this machine, behind a token"),
    "doctor": ("[PID]", "what works here, and the exact fix for what does not"),
    "mcp": ("", "the same answers for coding agents, by the Model Context Protocol"),
    "demo": ("[SAMPLE]", "programs that really hang or crash, to look at and learn the keys"),
    "completion": ("SHELL", "options, PIDs and files by Tab: for bash, zsh and fish"),
}
"""What each command is given mostly, and what it is for, in a line."""

_LIST = "\n".join(f"  {f'{name} {given}':<24}{text}" for name, (given, text) in SUMMARIES.items())

MAIN = f"""\
Shows why a Python process hangs: who waits for whom, on which line, in Python and in the C code
below. It looks from outside: the process needs no preparation, and no code runs in it.

  hangtui                 a list of all Python processes, the hung ones first; Enter goes in
  hangtui PID...          these processes, full screen; a PID may be a name: gunicorn, server.py

commands (each has --help):
{_LIST}
"""

MAIN_EXAMPLES = """\
examples:
  hangtui 4711                          look at one process
  hangtui --children 4711               and at all processes that it started
  hangtui dump 4711                     the report, in the shell
  hangtui dump --json 4711 | jq .findings
  hangtui record 4711 -o stuck.hang     keep the evidence, then restart the service
  hangtui open stuck.hang

On the screens, ? shows all keys and q quits. For another user's process you need root (sudo).
Results go to standard output, messages to standard error.
exit status: 0 done; 1 (check) it is hung; 2 wrong arguments, no permission, nothing to read;
130 interrupted.
"""

_DUMP = """\
Prints a report: what is wrong, who waits for whom, every thread with its Python and native stack.
The processes keep running. Any file that "hangtui open" accepts works like a PID.
"""

_DUMP_EXAMPLES = """\
examples:
  hangtui dump 4711
  hangtui dump 4711 --children --json > stuck.json
  hangtui dump stuck.hang -o report.txt
  ssh node cat stuck.hang | hangtui dump -
  hangtui dump 4711 --md                Markdown, to paste into an issue
  hangtui dump --parent                 started by a Python program: looks at that one
  hangtui dump 4711 --native gdb        native stacks with source lines, from a copy

The JSON is one object with the keys schema, taken_at, host, tool, notices, processes, nodes,
edges, cycles, findings and crash. What could not be read, and how to get it, is in notices.
exit status: 0 something was captured; 2 nothing.
"""

_RECORD = """\
Writes everything that can be read now about the processes, and the Python processes that they wait
for, to a file that only you can read. It holds stacks, names and command lines (secrets masked), no
environment and no variables.
"""

_RECORD_EXAMPLES = """\
examples:
  hangtui record 4711 --children -o stuck.hang
  hangtui open stuck.hang
  hangtui record 4711 --times 5 -o stuck.hang    stuck-1.hang to stuck-5.hang

exit status: 0 something was captured; 2 nothing.
"""

_GATHER = """\
Looks at all Python processes of many machines or containers at once, and joins what it reads: by
ssh, docker, podman or kubectl, on the nodes of a job of Slurm or MPI, of a cluster of Dask or Ray,
or on this machine. Nothing has to be installed there if --carry names a portable build. Who does
not answer costs itself alone, and is named.
"""

_GATHER_EXAMPLES = """\
examples:
  hangtui gather ssh node-1 node-2 node-3
  hangtui gather slurm 4711 -o job.hang     every node of job 4711, beside its steps
  hangtui gather mpi 815                    the hosts of the mpirun with that PID
  hangtui gather kubectl job-name=train -n ml
  hangtui gather docker web-1 web-2 --carry hangtui-portable.tar.gz
  hangtui gather dask tcp://10.0.0.1:8786   the machines of its workers
  hangtui gather ray                        the nodes of the cluster that runs here, or ADDRESS
  hangtui gather local                      all Python of this machine, or of PIDs and below

The hosts' own names are shown behind each PID: 4711@node-2. ssh uses your configuration and keys,
and asks for nothing. Other users' processes need --sudo, or root there.
exit status: 0 something was captured; 2 nothing.
"""

_OPEN = """\
Shows files on the same screens as live processes: captures (.hang), core files (also packed with
gzip, zstd or lz4), logs of faulthandler, dumps of py-spy, and gdb's "thread apply all bt". The kind
of a file is recognised by its content.
"""

_OPEN_EXAMPLES = """\
examples:
  hangtui open stuck.hang
  hangtui open stuck-*.hang             captures of the same process: { and } step through them
"""

_CHECK = """\
Says whether the processes are hung, and why. It looks several times, to tell stuck from slow. For
health probes and CI. Processes that the named ones wait for are looked at too, and their children
that run Python. Nothing is stopped.
"""

_CHECK_EXAMPLES = """\
examples:
  hangtui check 4711; [ $? -ne 1 ] || systemctl restart service
  hangtui check --all --json | jq '.findings[] | {id, title}'
  hangtui check 1 --looks 1             a liveness probe in a container: one look, no waiting
  hangtui check 4711 --allow self-deadlock

exit status: 0 no finding of severity error (warnings and notes are printed); 1 at least one (with
--fail-on warning a warning, too; with --fail-on proven only one that is proven); 2 unknown: wrong
arguments, or a process that could not be read well enough.
"""

_RUN = """\
Runs a command in this terminal as if you had typed it alone, and captures it if it crashes
(SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, an uncaught C++ exception) or, with --hang-after, when it
makes no progress; likewise the processes that it starts. At the end the screens open on the
capture, if this is a terminal.
"""

_RUN_EXAMPLES = """\
examples:
  hangtui run -- python server.py
  hangtui run --hang-after 60s -o server.hang --no-open -- python server.py
  hangtui run --hang-after 5m --hang-abort --no-open -- python -m unittest    in CI

exit status: that of the command; 128 plus the signal's number if a signal ended it; 124 if it hung
and --hang-abort ended it.
"""

_WATCH = """\
Watches running processes, without stopping them, until one of them, or a process that they start
from then on, crashes or hangs, and then writes a capture. If hangtui ends, they keep running.
"""

_WATCH_EXAMPLES = """\
examples:
  hangtui watch 4711 --hang-after 5m -d /var/tmp/captures
  hangtui watch --children 4711 4712    also the workers that exist already
  docker exec CONTAINER hangtui watch 1 -d /captures
  hangtui watch 4711 --on-hang 'mail -s "$HANGTUI_FINDING in $HANGTUI_PID" oncall'
  hangtui watch 1 --only deadlock --on-hang 'kill -9 "$HANGTUI_PID"'    and no other hang

A command of --on-hang or --on-crash is run once for each. It finds HANGTUI_PID, HANGTUI_CAPTURE
(the file), HANGTUI_OCCASION, HANGTUI_FINDING and HANGTUI_CERTAINTY in its environment.
exit status: 0 the processes ended and nothing was captured; 1 something was; 2 none can be watched.
"""

_SERVE = """\
Shows the screens in a browser on this machine. It listens on 127.0.0.1 only, and answers only
requests with the token that it prints; from elsewhere, forward a port to it. Anyone with the
address sees what you may see (stacks, variables, memory, source), and can export files into the
folder where it was started; nobody can stop a process or run a command unless you allow it here.
At most 8 windows.
"""

_SERVE_EXAMPLES = """\
examples:
  hangtui serve 4711
  kubectl port-forward POD 8042         ... and then open the address in the browser here
  hangtui serve stuck.hang --port 0
  hangtui serve --allow-stop 4711       also registers, C variables and code, which need a copy
"""

_DOCTOR = """\
Says what works on this machine, in this container, with this process: one line per ability, with
the reason and the exact fix where something does not. Nothing is changed.
"""

_DOCTOR_EXAMPLES = """\
examples:
  hangtui doctor
  hangtui doctor 4711
  hangtui doctor --json 4711 | jq '.checks[] | select(.works | not)'

exit status: 0 captures can be taken; 2 they cannot (list or memory says no), wrong arguments.
"""

_MCP = """\
Answers a program that started it and speaks the Model Context Protocol, over standard input and
output alone: which processes there are, what is wrong with one, who waits for whom, the evidence,
stacks, and what a capture says. It only reads, stops nothing, and ends nothing. Text that comes
from processes is marked as data, and each answer is at most 32 KB. Needs: pip install hangtui[mcp]
"""

_MCP_EXAMPLES = """\
examples:
  {"mcpServers": {"hangtui": {"command": "hangtui", "args": ["mcp"]}}}    of most agents
  hangtui mcp --allow-stop              also stacks that stop a process for milliseconds

exit status: 0 the other side has closed; 2 the package mcp is missing.
"""

_DEMO = """\
Starts a program that really hangs or crashes, opens the screens on it, says in a line which key to
press next, and ends it afterwards. Without a SAMPLE it lists them, and asks for one on a terminal.
"""

_DEMO_EXAMPLES = """\
samples:
  locks        two threads take two locks in opposite order
  gil          a lock of C code and the GIL wait for each other
  tasks        two tasks of asyncio wait for each other, while their loop ticks
  executor     a pool of threads whose jobs wait for jobs of the same pool
  connections  requests that keep a pool's connections and want one more
  crash        a NULL pointer that C code was given

examples:
  hangtui demo
  hangtui demo gil
  hangtui demo locks check              no screens: what is wrong, in words
  hangtui demo tasks dump --json

exit status: that of the screens, or of the command that was given.
"""

_COMPLETION = """\
Prints a script for a shell, after which Tab completes commands, options, PIDs (with what runs
there), names of processes, ids of findings, and .hang files.
"""

_COMPLETION_EXAMPLES = """\
examples:
  source <(hangtui completion bash)     in ~/.bashrc
  source <(hangtui completion zsh)      in ~/.zshrc, after compinit
  hangtui completion fish > ~/.config/fish/completions/hangtui.fish
"""

COMMANDS = {
    "dump": (_DUMP, _DUMP_EXAMPLES),
    "record": (_RECORD, _RECORD_EXAMPLES),
    "gather": (_GATHER, _GATHER_EXAMPLES),
    "open": (_OPEN, _OPEN_EXAMPLES),
    "check": (_CHECK, _CHECK_EXAMPLES),
    "run": (_RUN, _RUN_EXAMPLES),
    "watch": (_WATCH, _WATCH_EXAMPLES),
    "doctor": (_DOCTOR, _DOCTOR_EXAMPLES),
    "serve": (_SERVE, _SERVE_EXAMPLES),
    "mcp": (_MCP, _MCP_EXAMPLES),
    "demo": (_DEMO, _DEMO_EXAMPLES),
    "completion": (_COMPLETION, _COMPLETION_EXAMPLES),
}
"""What a command is for, and its examples, by its name."""
