"""Outcomes of operations on one host.

An outcome is a dictionary: changed, outcome (ready, waiting, running, silent, measured, failed, unreachable or
refused), and reason (a sentence, or an empty text).
"""

from __future__ import absolute_import, annotations, division, print_function

import functools
import re

from .talk import Refusal, Unreachable, sentence

# A verdict on a requirement; it does not say why a run has failed.
VERDICT = re.compile("Run: (PASS|FAIL|INCONCLUSIVE) ")


class NotPossible(Exception):
    """An operation has ended early: the outcome, and the reason."""

    def __init__(self, outcome, reason):
        super().__init__(reason)
        self.outcome = outcome


def outcome(name, reason="", changed=False, **more):
    """Returns the dictionary of an outcome."""
    return dict(more, outcome=name, reason=reason, changed=changed)


def operation(function):
    """Makes the function return an outcome, whatever stops it."""
    @functools.wraps(function)
    def wrapped(self, *arguments, **more):
        try:
            return function(self, *arguments, **more)
        except NotPossible as end:
            return outcome(end.outcome, str(end))
        except Unreachable as error:
            return outcome("unreachable", str(error))
        except Refusal as error:
            return outcome("failed", str(error))
    return wrapped


def message(said):
    """Takes lines of the suite; returns the last message among them as a sentence."""
    messages = [line[5:] for line in said if line.startswith("Run: ") and not VERDICT.match(line)]
    return sentence((messages or said or [""])[-1])
