"""Users' own strategies for tests, each a file of its own to be written into a folder."""

from __future__ import annotations

from pathlib import Path

GREEDY = '''
"""What greedy does, found anew: the best score, then the most room; greedy itself is asked among equals only."""

from fivetowers_sim.strategies.custom import Build, BuildPlan, View


def fits(value, top):
    return top != 0 and (value < top or top == 8 or value == 9)


ROOM = [sum(fits(value, top) for value in range(16)) for top in range(16)]


def worth(build):
    return build.score, sum(ROOM[tower[-1]] if tower else 16 for tower in build.towers.values())


def told(plan):
    return plan.take, plan.pay, plan.torn, plan.placements


class Greedy:
    """Plays greedy."""

    def speak(self, view: View) -> BuildPlan | Build | None:
        advice = view.ask("greedy")
        if advice is None:
            assert not view.builds
            return None
        best = max(map(worth, view.builds))
        (build,) = [build for build in view.builds if worth(build) == best and told(build) == told(advice)]
        # By turns the build of the list, and the same as a plan of its own.
        return build if view.round % 2 else advice
'''

RESTLESS = '''
"""Odd ways to play, all of them legal."""

from fivetowers_sim.strategies.custom import Placement, BuildPlan


class Restless:
    """Builds anything, by its own chance."""

    def __init__(self, boldness: float = 0.8, most: int = 99, name: str = "nobody", quiet: bool = True):
        self.boldness, self.most = boldness, most

    def speak(self, view):
        if not view.builds or view.random.random() > self.boldness:
            return None
        return view.random.choice(view.builds)


class Looker:
    """Checks that what it sees hangs together, and remembers what it saw."""

    def __init__(self):
        self.seen = []

    def speak(self, view):
        assert view.own is view.seats[view.seat]
        assert view.order == tuple((view.order[0] + place) % len(view.seats) for place in range(len(view.seats)))
        assert view.waiting == view.order[view.order.index(view.seat) + 1 :]
        assert not [word for word in view.words if word.seat in view.waiting and not word.undone]
        said = [word.bid or 0 for word in view.words if not word.undone]
        assert view.high_bid == max(said, default=0)
        assert all(build.bid > view.high_bid for build in view.builds)
        assert view.below is None or all(build.bid < view.below for build in view.builds)
        lying = [*view.display, *view.discard, *view.unseen]
        for seat in view.seats:
            lying += seat.teardown
            lying += [(kind, value) for kind, tower in seat.towers.items() for value in tower]
        assert len(lying) == len(view.rules.deck(len(view.seats)))
        assert list(view.unseen) == sorted(view.unseen, key=lambda card: hash(card))
        # An earlier view still says what it said, and its builds are still listed from what lay there then.
        for earlier, display, bids in self.seen:
            assert (earlier.display, [build.bid for build in earlier.builds]) == (display, bids)
        self.seen = [*self.seen[-1:], (view, view.display, [build.bid for build in view.builds])]
        return max(view.builds, key=lambda build: build.score, default=None)


class Planner:
    """Takes one fitting card, by a plan of its own."""

    def speak(self, view):
        for card in view.display:
            tower = view.own.towers[card.kind]
            if not view.high_bid and (not tower or card.value < tower[-1]):
                return BuildPlan((card,), placements=(Placement(card),))
        return None
'''

ASKING = '''
"""Leaves everything to a built-in strategy."""


class Asking:
    def __init__(self, what: str):
        self.what = what

    def speak(self, view):
        return view.ask(self.what)
'''

FAULTY = '''
"""Strategies that fail in the third round."""

import sys


class Faulty:
    def __init__(self, how: str = "give_up"):
        self.how = how

    def speak(self, view):
        return getattr(self, self.how)(view) if view.round >= 3 else None

    def give_up(self, view):
        raise ValueError("no idea\\nat all")

    def recurse(self, view):
        return self.recurse(view)

    def leave(self, view):
        sys.exit(0)

    def mute(self, view):
        class Mute(Exception):
            def __str__(self):
                raise ValueError
        raise Mute

    def number(self, view):
        return 3

    def stale(self, view):
        return self.kept

    def mine(self, view):
        from fivetowers_sim.strategies.custom import Card, BuildPlan

        return BuildPlan((Card("candy", 99),))


class Stubborn(Faulty):
    """Keeps its first build, and answers it for ever."""

    def speak(self, view):
        if not hasattr(self, "kept"):
            self.kept = max(view.builds, key=lambda build: build.bid)
        return self.kept


class Unborn:
    def __init__(self):
        if sys._getframe(1).f_code.co_name != "_check_player" and sys._getframe(2).f_code.co_name != "_check_player":
            raise KeyError("no luck today")

    def speak(self, view):
        return None
'''

TROUBLED = '''
"""Fails in some games, as long as there is a file of the name trouble."""

from pathlib import Path


class Troubled:
    def speak(self, view):
        if view.round == 1 and view.display[0].kind == "sand" and Path("trouble").exists():
            raise OSError("there is trouble")
        return max(view.builds, key=lambda build: (build.score, -build.bid), default=None)
'''

FILES = {
    "greedy_again.py": GREEDY,
    "restless.py": RESTLESS,
    "asking.py": ASKING,
    "faulty.py": FAULTY,
    "troubled.py": TROUBLED,
}


def write_strategies(folder: Path) -> Path:
    """Write all of them into a folder, and return it."""
    for name, text in FILES.items():
        (folder / name).write_text(text.lstrip(), "utf-8")
    return folder
