"""The dice are the published ones, and nobody shares a stream."""

from collections import Counter

from sim_core.seams.chance import FAULTS, SCHEDULE, Pcg32, splitmix64, stream


def test_pcg32_gives_the_words_of_its_published_demo() -> None:
    dice = Pcg32(42, 54)
    words = [dice.word() for _ in range(6)]
    assert words == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


def test_pcg32_throws_the_coins_and_rolls_of_its_published_demo() -> None:
    dice = Pcg32(42, 54)
    for _ in range(6):
        dice.word()
    coins = "".join("H" if dice.below(2) else "T" for _ in range(65))
    assert coins == "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
    rolls = "".join(str(dice.below(6) + 1) for _ in range(33))
    assert rolls == "341122324324335231315141564662633"


def test_splitmix64_gives_its_published_first_words() -> None:
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    assert splitmix64(1234567) == 6457827717110365317


def test_a_throw_is_fair() -> None:
    dice = stream(7, SCHEDULE)
    counts = Counter(dice.below(5) for _ in range(50_000))
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert all(abs(count - 10_000) < 400 for count in counts.values())


def test_neighbouring_seeds_and_streams_do_not_resemble_each_other() -> None:
    firsts = Counter(stream(seed, SCHEDULE).below(2) for seed in range(2_000))
    assert abs(firsts[0] - 1_000) < 100
    same = sum(stream(s, SCHEDULE).word() == stream(s, FAULTS).word() for s in range(1_000))
    assert same == 0


def test_a_word_of_64_bits_is_signed_and_a_blob_has_its_length() -> None:
    dice = stream(1, FAULTS)
    words = [dice.word64() for _ in range(200)]
    assert min(words) < 0 < max(words)
    assert all(-(2**63) <= word < 2**63 for word in words)
    assert [len(dice.blob(n)) for n in (-1, 0, 1, 5, 16)] == [1, 1, 1, 5, 16]
