"""Judging, written down once more with NumPy in double precision, from what a position is and not from its code."""

from __future__ import annotations

import numpy as np

TOWER_TOP = 0


def bits_of(mask):
    return [value for value in range(32) if mask >> value & 1]


def judge(net, seen, views):
    """Return the shares of the seats, in the order in which they speak next.

    Parameters
    ----------
    net : record of NET
        The weights.
    seen : record of SEEN
        What is to come.
    views : array of VIEW, shape (players,)
        What each has.
    """
    return forward(weights_of(net), seen, views)[0]


def weights_of(net):
    return {name: np.array(net[name], np.float64) for name in net.dtype.names}


def forward(net, seen, views):
    rounds, last = float(seen["rounds"]), float(seen["last_pass"])
    joined = 0
    for kind in range(5):
        once, twice = int(seen["once"][kind]), int(seen["twice"][kind])
        common = [len(bits_of(once)) / 16, len(bits_of(twice)) / 16, rounds / 20, last]
        layer = net["kind"][kind] + np.array(common) @ net["kind_number"]
        layer = layer + net["once"][bits_of(once)].sum(0) + net["twice"][bits_of(twice)].sum(0)
        zeros = (once & 1) + (twice & 1)
        for place, view in enumerate(views):
            layer = (
                layer + net["top"][place, view["top"][kind]] + tower_numbers(view, kind, zeros) @ net["tower"][place]
            )
        joined = joined + np.maximum(layer, 0)
    second = net["bias"] + joined @ net["joined"]
    second = second + np.array([rounds / 20, 1 / (1 + rounds), np.sqrt(rounds) / 5, last]) @ net["game"]
    for place in range(len(views)):
        second = second + seat_numbers(views, place, rounds) @ net["seat"][place]
    second = np.maximum(second, 0)
    out = net["out"][: len(views)] @ second + net["out_bias"][: len(views)]
    shares = np.exp(out - out.max())
    return shares / shares.sum(), out


def tower_numbers(view, kind, zeros):
    height, closed = view["height"][kind] / 8, view["top"][kind] == TOWER_TOP
    price, power = view["price"][kind] / 16, view["power"][kind]
    return np.array([height, height * closed, view["fits"][kind] / 8, 0 if closed else zeros / 2, price, power])


def seat_numbers(views, place, rounds):
    own, others = views[place], np.delete(np.arange(len(views)), place)
    scale = 4 * np.sqrt(rounds + 1)
    worth, score = views["worth"].astype(float), views["score"].astype(float)
    ahead = [worth[place] - worth.mean(), worth[place] - worth[others].max(), score[place] - score[others].max()]
    return np.array([own["score"] / 32, own["worth"] / 32, own["main"] / 8, own["lost"] / 8, *np.array(ahead) / scale])
