"""The report on a fleet: the list of machines, and what the suite makes from it."""

from __future__ import absolute_import, annotations, division, print_function

import collections
import csv
import hashlib
import io
import json
import os
import re
import tempfile

from .files import write_whole
from .suite import requirements

LIST = "machines.csv"
COLUMNS = ("host", "shares", "phase", "try", "outcome", "reason", "result")
PAGE = "fleet.html"
DATA = "fleet.json"
JUNIT = "junit.xml"
FILES = {"--html": PAGE, "--json": DATA, "--junit": JUNIT, "--verdict": "verdicts"}
TEXT = "fleet.txt"

# How many lines of the text a playbook prints at most.
LINES = 60

# A row about a machine: its place, if it has one, and its name.
ROW = re.compile(r"(?:[0-9]+[.] )?(.*?)(?:  |$)")

# The exit statuses of `Run fleet`: all accepted, some not measured, some failed their requirements, some are unsure.
STATUSES = (0, 1, 3, 4)

# What a formula of a spreadsheet begins with.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_list(directory, history, hosts, shares):
    """Takes the directory of results, a history, the hosts and their hypervisors; writes machines.csv there.

    Hosts of the record that are no longer in the inventory stay in the list. Returns whether the file has changed.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    for host in sorted(set(hosts) | history.hosts()):
        for line in history.lines(host):
            row = dict(line, host=host, shares=shares.get(host, ""), reason=_one_line(line["reason"]))
            table.writerow({column: harmless(str(value)) for column, value in row.items()})
    return replace(os.path.join(directory, LIST), text.getvalue())


def write_reports(directory, run, require):
    """Takes the directory of results, which has machines.csv, a function that runs the suite, and the requirements.

    Writes all reports. Returns whether one has changed, and a dictionary: accepted (whether all machines are), summary
    (a line), page (its path), table (the first lines of the text), and hosts (those of fleet.json).
    """
    before = _digests(directory)
    words = [word for option, name in FILES.items() for word in (option, os.path.join(directory, name))]
    done = run("fleet", os.path.join(directory, LIST), *words, *requirements(require), statuses=STATUSES)
    replace(os.path.join(directory, TEXT), done.stdout)
    page = os.path.join(directory, PAGE)
    hosts = _hosts(os.path.join(directory, DATA))
    accepted = all(host["accepted"] for host in hosts)
    changed = before != _digests(directory)
    return changed, {"accepted": accepted, "summary": summary(hosts, page), "page": page, "hosts": hosts,
                     "rejected": {host["host"]: _why(host) for host in hosts if not host["accepted"]},
                     "table": table(done.stdout, [host["host"] for host in hosts], os.path.join(directory, TEXT))}


def summary(hosts, page):
    """Takes the hosts of fleet.json, and the path of the page; returns the line that ends a playbook."""
    missed = collections.Counter(_outcome(host) for host in hosts if not host["accepted"])
    total = sum(missed.values())
    if not total:
        return f"{len(hosts)} of {len(hosts)} machines were accepted: {page}"
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(missed.items()))
    return f"{total} of {len(hosts)} machines {'was' if total == 1 else 'were'} not accepted ({counts}): {page}"


def table(text, names, path):
    """Takes the text of a report, the names of all machines, and the path of the text; returns the lines to be printed.

    These are the first ones of the text, and a line with the number of the other machines. Each machine has a row.
    """
    lines = text.splitlines()
    if len(lines) <= LINES:
        return lines
    rows = {ROW.match(line).group(1) for line in lines[:LINES]}
    missing = sum(name not in rows for name in names)
    return [*lines[:LINES], f"{missing} more in {path}" if missing else f"More is in {path}"]


def judged(directory, run, require):
    """Takes the same as write_reports; returns the hosts of fleet.json, and writes nothing."""
    with tempfile.TemporaryDirectory(prefix="unixbench-") as place:
        path = os.path.join(place, DATA)
        run("fleet", os.path.join(directory, LIST), "--json", path, *requirements(require), statuses=STATUSES)
        return _hosts(path)


def suspects(hosts):
    """Takes the hosts of fleet.json; returns the names of those that are to be measured again.

    They fail a requirement, a requirement is inconclusive, or they are outliers that are slow or not reliable.
    """
    return [host["host"] for host in hosts if host.get("verdict") in ("FAIL", "INCONCLUSIVE") or _is_suspect(host)]


def _hosts(path):
    """Takes the path of fleet.json; returns its hosts."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)["hosts"]


def _is_suspect(host):
    return any(finding["is"] in ("slow", "not reliable") for finding in host["findings"])


def _why(host):
    """Takes a host that is not accepted; returns its outcome with the reason."""
    return f"{_outcome(host)}: {host['reason']}" if host.get("reason") else _outcome(host)


def harmless(text):
    """Takes a text; returns it with an apostrophe before it if a spreadsheet would take it for a formula."""
    return "'" + text if text[:1] in FORMULA else text


def _outcome(host):
    """Takes a host that is not accepted; returns why, in one or two words."""
    outcome = host.get("verdict") or host["outcome"]
    return "not measured together" if outcome in ("measured", "PASS") else outcome


def _digests(directory):
    """Returns what tells whether a report has changed: the SHA-256 of its files.

    The verdicts are left out: that on a machine without a result is as new as the report.
    """
    result = {}
    for name in (TEXT, PAGE, DATA, JUNIT):
        try:
            with open(os.path.join(directory, name), "rb") as file:
                result[name] = hashlib.sha256(file.read()).hexdigest()
        except FileNotFoundError:
            result[name] = None
    return result


def replace(path, text):
    """Takes a path and a text; writes the file whole, and returns whether it has changed."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return False
    except FileNotFoundError:
        pass
    write_whole(path, text.encode("utf-8"))
    return True


def _one_line(text):
    return " ".join(text.split())
