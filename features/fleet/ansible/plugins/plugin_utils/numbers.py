"""Numbers as texts: what a host answers, and what a user sets. This is the only reader of numbers."""

from __future__ import absolute_import, annotations, division, print_function

import re

# Up to 15 digits: every such number is exact.
PLAIN = re.compile(r"[0-9]{1,15}(?:[.][0-9]{1,15})?", re.ASCII)


def plain(text):
    """Takes a text; returns its value, an int if it has no fraction, or None if it is not a plain number.

    A plain number has up to 15 digits, and perhaps a point and as many further digits. It has no sign, no exponent, no
    blank and no underscore, and is never infinite.
    """
    if not PLAIN.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)
