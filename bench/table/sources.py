"""Debian source packages, fetched with a private apt state.

The machine's own package sources are read and turned into `deb-src` ones in a folder of ours, so the
machine's configuration stays as it is and this tree names no server. Packages are unpacked without
Debian's patches: what is built is the upstream program, with upstream's time stamps, so nothing is
generated anew. A mirror may have lost a version that its index still lists: older ones are tried.
"""
import re
import shutil
import subprocess

from .context import BenchError, environment, shell

SOURCES_LIST = "/etc/apt/sources.list"
SOURCES_PARTS = "/etc/apt/sources.list.d"


def deb822_sources(text):
    """Each enabled binary stanza of a .sources file as a stanza for sources."""
    stanzas = []
    for stanza in re.split(r"\n\s*\n", text):
        lines = [line for line in stanza.splitlines() if line and not line.startswith("#")]
        if any(re.match(r"(?i)enabled:\s*no", line) for line in lines):
            continue
        if any(re.match(r"(?i)types:", line) for line in lines):
            stanzas.append("\n".join(re.sub(r"(?i)^types:.*", "Types: deb-src", line)
                                     for line in lines))
    return stanzas


def one_line_sources(text):
    return [re.sub(r"^deb\b", "deb-src", line) for line in text.splitlines()
            if re.match(r"deb\s", line)]


def private_apt(context):
    """Options that make apt use our own source list and state; refreshes the index once."""
    from pathlib import Path
    root = context.work / "apt"
    parts = root / "sources.list.d"
    for folder in (parts, root / "lists" / "partial", root / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    stanzas, lines = [], []
    for path in sorted(Path(SOURCES_PARTS).glob("*.sources")):
        stanzas += deb822_sources(path.read_text())
    for path in [Path(SOURCES_LIST), *sorted(Path(SOURCES_PARTS).glob("*.list"))]:
        if path.exists():
            lines += one_line_sources(path.read_text())
    if not stanzas and not lines:
        raise BenchError("no Debian package source is configured on this machine")
    (parts / "bench.sources").write_text("\n\n".join(stanzas) + "\n")
    (parts / "bench.list").write_text("\n".join(lines) + "\n")
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}",
               "-o", f"Dir::State::lists={root / 'lists'}", "-o", f"Dir::Cache={root / 'cache'}",
               "-o", "APT::Sandbox::User=root", "-qq"]
    if not any((root / "lists").glob("*Sources*")):
        subprocess.run(["apt-get", *options, "update"], check=True, env=environment())
    return options


def versions(options, package):
    """The versions of a source package that the index lists, newest first."""
    listing = subprocess.run(["apt-cache", *options, "showsrc", "--only-source", package],
                             capture_output=True, text=True, env=environment()).stdout
    found = []
    for stanza in listing.split("\n\n"):
        name = re.search(r"(?m)^Package: (\S+)$", stanza)
        version = re.search(r"(?m)^Version: (\S+)$", stanza)
        if name and version and name[1] == package and version[1] not in found:
            found.append(version[1])
    def newer(a, b):
        return subprocess.run(["dpkg", "--compare-versions", a, "gt", b]).returncode == 0
    ordered = []
    for version in found:
        at = next((i for i, other in enumerate(ordered) if newer(version, other)), len(ordered))
        ordered.insert(at, version)
    return ordered


def download(context, package, folder):
    """The .dsc of the newest version that can be had, and that version."""
    options = private_apt(context)
    folder.mkdir(parents=True, exist_ok=True)
    errors = []
    for version in versions(options, package):
        result = subprocess.run(["apt-get", *options, "source", "--download-only",
                                 f"{package}={version}"], cwd=folder, capture_output=True,
                                text=True, env=environment())
        upstream = version.split(":", 1)[-1]
        dsc = folder / f"{package}_{upstream}.dsc"
        if result.returncode == 0 and dsc.exists():
            return dsc, version
        errors.append(f"{package}={version}: {result.stderr.strip().splitlines()[-1:]}")
    raise BenchError(f"no version of source package {package} can be fetched: {errors}")


def fetch(program):
    """Makes program.sources, once: the unpacked and prepared upstream tree."""
    stamp = program.sources.parent / f"{program.name}.version"
    if not stamp.exists():
        folder = program.context.work / "downloads" / program.name
        dsc, version = download(program.context, program.recipe["source"], folder)
        shutil.rmtree(program.sources, ignore_errors=True)
        program.sources.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["dpkg-source", "--no-check", "--skip-patches", "-x", dsc.name,
                        program.sources.resolve()], cwd=folder, check=True, env=environment(),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command in program.recipe.get("prepare", []):
            shell(command, program.sources, environment(), program.scratch("log", "prepare"))
        stamp.write_text(version)
    program.results["version"] = stamp.read_text()
