"""Which room may include which: the arrows of the house."""

import re

from lint.finding import Finding

RULE = "arrow"
CYCLE_RULE = "cycle"

_FACTS_UP = ("model/base", "model/wire", "model/facts")
_ROLE = _FACTS_UP + ("model/runtime",)

# Room, then the rooms that it may include beside itself. The longest room that
# a path lies in counts; a name without a slash stands for all rooms below.
_MAY_INCLUDE = {
    "model/base": (),
    "model/wire": ("model/base",),
    "model/facts": ("model/base", "model/wire"),
    "model/allocation": ("model/base", "model/wire"),
    "model/runtime": _FACTS_UP,
    "model/client": _ROLE + ("model/allocation",),
    "model/broker": _ROLE,
    "model/namesrv": _ROLE,
    "sim": _ROLE + ("sim",),
    "scenarios": ("model", "sim", "scenarios"),
    "tools": ("model", "sim", "scenarios", "tools"),
    "tests": ("model", "sim", "scenarios", "tools", "tests"),
}

# Libraries from outside that stop at a floor: prefix of the include, floors.
_OUTSIDE = [
    ("google/protobuf", ("scenarios", "tools", "tests")),
    ("nlohmann/", ("scenarios", "tools", "tests")),
    ("pugixml", ("scenarios", "tools", "tests")),
    ("utf8proc", ("scenarios", "tools", "tests")),
    ("gtest/", ("tests",)),
    ("gmock/", ("tests",)),
    ("benchmark/", ("tests",)),
]

_FLOORS = ("model", "sim", "scenarios", "tools", "tests")


def room_of(path):
    """The room that the file lies in, as "model/client"; None outside.

    Tests are one room each for the tree that they mirror, and none of them has
    arrows of its own.
    """
    parts = path.split("/")
    if parts[0] not in _FLOORS or len(parts) < 2:
        return None
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def _rule_for(room):
    if room in _MAY_INCLUDE:
        return _MAY_INCLUDE[room]
    return _MAY_INCLUDE.get(room.split("/")[0])


def _allowed(room, target):
    if room == target:
        return True
    allowed = _rule_for(room)
    return allowed is not None and (
        target in allowed or target.split("/")[0] in allowed)


def check(source):
    """Includes that point at a floor above, or across."""
    room = room_of(source.path)
    if room is None or not source.is_cpp():
        return
    floor = room.split("/")[0]
    for line, quoted, path in source.includes:
        for prefix, floors in _OUTSIDE:
            if path.startswith(prefix) and floor not in floors:
                yield Finding(source.path, line, RULE,
                              f"{floor}/ may not include {path}",
                              f"it belongs to {', '.join(floors)}")
        if not quoted or path.split("/")[0] not in _FLOORS:
            continue
        target = room_of(path)
        if _rule_for(room) is None:
            yield Finding(source.path, line, RULE,
                          f"the room {room} is not in the table of arrows",
                          "add it to tools/lint/lint/rooms.py")
            return
        if not _allowed(room, target):
            allowed = _rule_for(room)
            yield Finding(source.path, line, RULE,
                          f"{room} may not include {target}",
                          "it may include " + (", ".join(allowed) or
                                               "no other room"))


def check_cycles(sources):
    """Rooms that include each other, however far around."""
    arrows = {}  # Room to the rooms it includes, each with the first place.
    for source in sorted(sources, key=lambda source: source.path):
        room = room_of(source.path)
        if room is None or not source.is_cpp() or \
           not source.is_below("model", "sim", "scenarios"):
            continue
        for line, quoted, path in source.includes:
            target = room_of(path) if quoted else None
            if target is not None and target != room:
                arrows.setdefault(room, {}).setdefault(
                    target, (source.path, line))
    for room in sorted(arrows):
        for target, (path, line) in sorted(arrows[room].items()):
            back = _path_between(arrows, target, room)
            # Each cycle is told at the arrow that leaves its first room.
            if back and room == min(back):
                circle = " -> ".join([room] + back)
                yield Finding(path, line, CYCLE_RULE,
                              f"rooms include each other: {circle}",
                              "turn one of the arrows, or join the rooms")


def _path_between(arrows, start, end):
    """The rooms of a shortest way from start to end, both with; or None."""
    ways = [[start]]
    seen = {start}
    while ways:
        way = ways.pop(0)
        if way[-1] == end:
            return way
        for target in sorted(arrows.get(way[-1], {})):
            if target not in seen:
                seen.add(target)
                ways.append(way + [target])
    return None


_GUARD_UNFIT = re.compile(r"[^A-Za-z0-9]")


def guard_of(path):
    """The header guard of a path: GROUPSIM_MODEL_BASE_TIME_H_."""
    return f"GROUPSIM_{_GUARD_UNFIT.sub('_', path).upper()}_"
