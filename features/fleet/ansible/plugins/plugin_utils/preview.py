"""The preview of a measurement: which machines measure when, as lines of text."""

from __future__ import absolute_import, annotations, division, print_function

from .waves import groups, rounds


def preview(plan, seconds, together=(), most=0):
    """Takes the plan of the phase alone, the seconds of one wave, and the plan of the phase together.

    Also takes how many machines may measure at the same time, or 0 for no limit. Returns lines: one for each wave with
    its begin, and the time of all of them.
    """
    waves = rounds(plan, most)
    lines = [f"wave {number}, after {duration((number - 1) * seconds)}: {_names(wave)}"
             for number, wave in enumerate(waves, 1)]
    for group in groups(together, most):
        lines.append(f"wave {len(lines) + 1}, together, after {duration(len(lines) * seconds)}: {_names(group)}")
    if not lines:
        return ["All machines are measured."]
    again = f", and at most {duration(len(waves) * seconds)} more if machines are measured again" if waves else ""
    return [*lines, f"In all about {duration(len(lines) * seconds)}{again}."]


def duration(seconds):
    """Takes seconds; returns them in words, rounded to minutes if there are many."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    if minutes >= 2880:
        return f"{minutes // 1440} days"
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")


def _names(entries):
    """Returns the machines of a wave, each with its hypervisor."""
    return ", ".join(f"{entry['host']} ({entry['shares']})" if entry["shares"] else entry["host"]
                     for entry in entries)
