"""The preview of a measurement: which machines measure when, as lines of text."""

from __future__ import absolute_import, annotations, division, print_function


def preview(plan, seconds, together=()):
    """Takes the plan of the phase alone, the seconds of one run, and the plan of the phase together.

    Returns lines: one for each wave with its begin, and the time of all of them.
    """
    waves = max((entry["wave"] for entry in plan), default=0)
    lines = [f"wave {wave}, after {duration((wave - 1) * seconds)}: {_names(plan, wave)}"
             for wave in range(1, waves + 1)]
    if together:
        lines.append(f"together, after {duration(waves * seconds)}: {_names(together, 1)}")
    if not lines:
        return ["All machines are measured."]
    again = f", and at most {duration(waves * seconds)} more if machines are measured again" if waves else ""
    return [*lines, f"In all about {duration(len(lines) * seconds)}{again}."]


def duration(seconds):
    """Takes seconds; returns them in words, rounded to minutes if there are many."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 2880 else f"{minutes // 1440} days"


def _names(plan, wave):
    """Returns the machines of a wave, each with its hypervisor."""
    return ", ".join(f"{entry['host']} ({entry['shares']})" if entry["shares"] else entry["host"]
                     for entry in plan if entry["wave"] == wave)
