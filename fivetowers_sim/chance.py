"""Random numbers as functions of (seed, game, purpose, count).

A counter-based generator: the n-th number of a stream is a hash of the stream's key and n, so a
game's chance depends on nothing that was played before it, in this process or another. The hash is
the finaliser of SplitMix64 (Steele, Lea and Flood 2014), applied to a Weyl sequence.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel

WEYL = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_S11 = np.uint64(11)
_LOW32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_UNIT = 1.0 / 9007199254740992.0

DECK = 0
"""Purpose of the first deck's order; deck pass p (from 0) uses ``DECK + p``."""

SEAT_NOISE = 16
"""Purpose of a seat's own decisions; seat s uses ``SEAT_NOISE + s``."""

DECISION = 32
"""Purpose of the choice of a decision of the game to look into."""

LESSON = 48
"""Purpose of what is played wildly in games to learn from."""

LEARNING = 49
"""Purpose of the weights that learning begins with, and of the order of lessons."""

FUTURE = 1 << 20
"""Purpose of what is redrawn after that decision; future f uses ``FUTURE + f``."""


@kernel
def mix(x):
    """Hash 64 bits (SplitMix64's finaliser)."""
    x = (x ^ (x >> _S30)) * _FIRST
    x = (x ^ (x >> _S27)) * _SECOND
    return x ^ (x >> _S31)


@kernel
def stream_key(seed, game, purpose):
    """Return the key of the stream of this seed, game number and purpose (all non-negative)."""
    key = mix(np.uint64(seed) + WEYL)
    key = mix(key ^ (np.uint64(game) * WEYL + _ONE))
    return mix(key + np.uint64(purpose) * WEYL)


@kernel
def number_at(key, count):
    """Return the 64-bit number at this position (uint64) of a stream."""
    return mix(key + (count + _ONE) * WEYL)


@kernel
def below(streams, stream, bound):
    """Draw a uniform integer from 0 to bound - 1 (Lemire 2019: unbiased, by rejection).

    Parameters
    ----------
    streams : record
        Has ``noise_key`` and ``noise_count``, uint64 arrays; the count moves on.
    stream : int
        Which of them.
    bound : int
        1 to 2**32 - 1.

    Returns
    -------
    int
        The number.
    """
    n = np.uint64(bound)
    while True:
        draw = number_at(streams.noise_key[stream], streams.noise_count[stream]) >> _S32
        streams.noise_count[stream] += _ONE
        product = draw * n
        low = product & _LOW32
        if low >= n or low >= (_LOW32 + _ONE - n) % n:
            return np.int64(product >> _S32)


@kernel
def uniform(streams, stream):
    """Draw a uniform number from [0, 1), with 53 random bits; arguments as for :func:`below`."""
    draw = number_at(streams.noise_key[stream], streams.noise_count[stream]) >> _S11
    streams.noise_count[stream] += _ONE
    return np.float64(draw) * _UNIT
