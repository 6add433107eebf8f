"""A machine for the commands in tools/: a copy of them, and programs that only
pretend to be Bazel, apt-get and the like and write down how they were called.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest

# What the commands may really use.
_REAL = ("awk bash basename cat chmod cut date dirname env find getent grep"
         " head kill ls mkdir mktemp mv printf readlink rm sed sleep tail tee"
         " timeout touch tr wc").split()


class FakeMachine:
    """Folders `root`, with the commands in root/tools, `bin` and `elsewhere`."""

    def __init__(self, folder):
        self.root = os.path.join(folder, "a tree")
        self.bin = os.path.join(folder, "bin")
        self.elsewhere = os.path.join(folder, "elsewhere")
        self.calls_file = os.path.join(folder, "calls")
        for path in (self.root, self.bin, self.elsewhere):
            os.makedirs(path)
        shutil.copytree("tools", os.path.join(self.root, "tools"))
        for name in _REAL:
            path = shutil.which(name)
            if path:
                os.symlink(path, os.path.join(self.bin, name))

    def put(self, path, text):
        """A file below the root."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if os.path.lexists(full):
            os.remove(full)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(full, 0o755)
        return full

    def pretend(self, name, script, folder=None):
        """Puts a program in the path; each call of it is written down."""
        path = os.path.join(folder or self.bin, name)
        if os.path.lexists(path):
            os.remove(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\necho \"{name} $*\" "
                       f">>'{self.calls_file}'\n{script}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def calls(self):
        """How the pretending programs were called, in order."""
        try:
            with open(self.calls_file, encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def run(self, command, *arguments, text_in=""):
        """Runs a command from a folder outside of the tree."""
        if not command.startswith("/"):
            command = os.path.join(self.root, command)
        return subprocess.run(
            [command, *arguments], cwd=self.elsewhere, input=text_in,
            env={"PATH": self.bin, "HOME": self.elsewhere,
                 "TMPDIR": self.elsewhere},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=60, check=False)


class MachineTest(unittest.TestCase):
    """Cases with a machine of their own."""

    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        self.machine = FakeMachine(os.path.realpath(folder))
