"""The report on a fleet: the list of machines, and what the suite makes from it."""

from __future__ import absolute_import, annotations, division, print_function

import csv
import hashlib
import io
import json
import os
import tempfile

from .suite import requirements

LIST = "machines.csv"
COLUMNS = ("host", "shares", "phase", "try", "outcome", "reason", "result")
PAGE = "fleet.html"
FILES = {"--html": PAGE, "--json": "fleet.json", "--junit": "junit.xml", "--verdict": "verdicts"}
TEXT = "fleet.txt"

# The exit statuses of `Run --fleet`: all accepted, some not measured, some failed their requirements, some are unsure.
STATUSES = (0, 1, 3, 4)


def write_list(directory, history, hosts, shares):
    """Takes the directory of results, a history, the hosts and their hypervisors; writes machines.csv there.

    Hosts of the record that are no longer in the inventory stay in the list. Returns whether the file has changed.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    for host in sorted(set(hosts) | history.hosts()):
        for line in history.lines(host):
            table.writerow(dict(line, host=host, shares=shares.get(host, ""), reason=_one_line(line["reason"])))
    return _replace(os.path.join(directory, LIST), text.getvalue())


def write_reports(directory, run, require):
    """Takes the directory of results, which has machines.csv, a function that runs the suite, and the requirements.

    Writes all reports. Returns whether one has changed, the summary for the last message, and whether all machines were
    accepted.
    """
    before = _digests(directory)
    words = [word for option, name in FILES.items() for word in (option, os.path.join(directory, name))]
    done = run("--fleet", os.path.join(directory, LIST), *words, *requirements(require), statuses=STATUSES)
    _replace(os.path.join(directory, TEXT), done.stdout)
    return before != _digests(directory), done.returncode == 0


def verdicts(directory, run, require):
    """Takes the same; returns the names of the hosts that fail their requirements, or are slow outliers."""
    with tempfile.TemporaryDirectory(prefix="unixbench-") as place:
        path = os.path.join(place, "fleet.json")
        run("--fleet", os.path.join(directory, LIST), "--json", path, *requirements(require), statuses=STATUSES)
        with open(path, encoding="utf-8") as file:
            fleet = json.load(file)
    return [host["host"] for host in fleet["hosts"] if host["verdict"] == "fail" or host["slow"]]


def _digests(directory):
    """Returns what tells whether a report has changed: the SHA-256 of each of its files."""
    result = {}
    for name in (TEXT, *FILES.values()):
        try:
            with open(os.path.join(directory, name), "rb") as file:
                result[name] = hashlib.sha256(file.read()).hexdigest()
        except FileNotFoundError:
            result[name] = None
    return result


def _replace(path, text):
    """Takes a path and a text; writes the file whole, and returns whether it has changed."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return False
    except FileNotFoundError:
        pass
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
    return True


def _one_line(text):
    return " ".join(text.split())
