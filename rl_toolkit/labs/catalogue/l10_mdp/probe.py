"""Sweeps in the student's process, until nothing changes."""


def iterate(module, values, most):
    """The number of changes in each sweep, and the last values."""
    changes = []
    while len(changes) < most:
        values, changed = module.sweep(values)
        changes.append(changed)
        if changed == 0:
            break
    return [changes, values]
