"""Processor time of commands: what else the machine does counts less than in the time that passes."""
import os
import subprocess


def seconds(command, folder, stdin=subprocess.DEVNULL):
    """That of a whole command and all that it waited for."""
    child = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command)
    return usage.ru_utime + usage.ru_stime
