"""Runs programs in forks of a process that has imported TensorFlow, which takes seconds.

A line of standard input has a program as JSON. The answer is a line with its exit status.
"""

import atexit
import json
import os
import sys
import traceback
import warnings

import tensorflow
import tensorflow_datasets  # noqa: F401


def run(program):
    os.chdir(program["dir"])
    for descriptor, name in enumerate(("input", "output", "faults")):
        os.dup2(os.open(program[name], os.O_RDWR | os.O_APPEND), descriptor)
    sys.stdin = open(0, closefd=False)  # the old one may have read lines ahead
    sys.argv = program["args"]
    script = sys.argv[0]
    if script == "-":
        sys.path[0], name, text = "", "<stdin>", sys.stdin.read()
    else:
        sys.path[0], name = os.path.dirname(os.path.abspath(script)), script
        with open(script, encoding="utf-8") as file:
            text = file.read()
    main = sys.modules["__main__"] = type(sys)("__main__")
    main.__file__ = name
    exec(compile(text, name, "exec"), main.__dict__)


def status_of(program):
    try:
        run(program)
    except SystemExit as exit:
        if exit.code is None or isinstance(exit.code, int):
            return exit.code or 0
        print(exit.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork")
while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        status = status_of(json.loads(line))
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print("exit status:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
