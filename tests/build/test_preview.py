"""The preview of each page that opens with a run: the same bytes twice, small, of its own run."""

import struct
import subprocess
import zlib
from pathlib import Path

import pytest

import build
from explorer import pages
from explorer.press import folder, preview

ROOT = Path(build.__file__).parent
FEW = {
    "/sections/": "sections?mode=warn&seed=16",
    "/sections/lost-update/": "sections?mode=warn&seed=16",
    "/sections/refused/": "sections?seed=16",
    "/trust/stale-label/": "trust?verify=read-then-write&writers=agent,relabel&seed=11",
}
MOST = 60_000


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    place = tmp_path_factory.mktemp("previews")
    (place / "cache").mkdir()
    return place, preview.pictures(ROOT, place / "out", place / "cache", FEW)


def chunks(content: bytes) -> dict[str, bytes]:
    """A PNG's chunks by name; each with the checksum that it should have."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = {}, 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        body = content[at + 4 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            body
        )
        found[body[:4].decode()] = body[4:]
        at += 12 + length
    return found


def colours(content: bytes) -> dict[tuple[int, ...], int]:
    """How many pixels have which colour."""
    parts = chunks(content)
    width, height, depth, kind = struct.unpack(">IIBB", parts["IHDR"][:10])
    assert (width, height, depth, kind) == (1200, 630, 8, 3)
    rows = zlib.decompress(parts["IDAT"])
    assert len(rows) == (width + 1) * height
    pixels = b"".join(rows[at + 1 : at + width + 1] for at in range(0, len(rows), width + 1))
    palette = parts["PLTE"]
    return {
        tuple(palette[which * 3 : which * 3 + 3]): pixels.count(which)
        for which in range(len(palette) // 3)
    }


def test_a_preview_is_named_by_what_it_holds_and_small(
    drawn: tuple[Path, dict[str, str]],
) -> None:
    place, found = drawn
    for path in found.values():
        content = (place / "out" / path).read_bytes()
        assert path == f"assets/preview-{folder.short_hash(content)}.png"
        assert len(content) < MOST


def test_pages_of_one_run_share_its_preview_and_others_do_not(
    drawn: tuple[Path, dict[str, str]],
) -> None:
    _, found = drawn
    assert list(found) == list(FEW)
    assert found["/sections/"] == found["/sections/lost-update/"]
    assert len(set(found.values())) == 3


def test_it_is_ink_on_paper_with_the_marks_of_its_writers(
    drawn: tuple[Path, dict[str, str]],
) -> None:
    place, found = drawn
    for path in set(found.values()):
        seen = colours((place / "out" / path).read_bytes())
        paper, ink, blue, vermillion = (
            seen[(0xFF, 0xFD, 0xF8)],
            seen[(0x1C, 0x1B, 0x19)],
            seen[(0x00, 0x72, 0xB2)],
            seen[(0xD5, 0x5E, 0x00)],
        )
        assert paper > 1200 * 630 * 0.85
        assert ink > 3000, "without fonts there would be hardly any"
        assert blue > 100 and vermillion > 100
        assert seen.get((0x00, 0x9E, 0x73), 0) == 0, "no third writer is in these"


def test_another_process_without_the_cache_draws_the_same_bytes(
    drawn: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    place, found = drawn
    again = preview.pictures(ROOT, tmp_path / "out", tmp_path, FEW)
    assert again == found
    for path in found.values():
        assert (tmp_path / "out" / path).read_bytes() == (place / "out" / path).read_bytes()


def test_what_is_in_the_cache_is_not_drawn_again(
    drawn: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, found = drawn

    def never(*_: object, **__: object) -> None:
        raise AssertionError("Node was started")

    monkeypatch.setattr(subprocess, "run", never)
    assert preview.pictures(ROOT, tmp_path, place / "cache", FEW) == found


def test_a_changed_run_is_drawn_anew_and_the_old_pictures_are_forgotten(
    drawn: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    for wanted in ({"/": "sections?seed=0"}, {"/": "sections?seed=16"}):
        preview.pictures(ROOT, tmp_path / "out", tmp_path, wanted)
    assert len(list(tmp_path.glob("previews-*"))) == 1


def test_every_scenario_the_front_page_and_every_canonical_run_have_one() -> None:
    wanted = preview.pictured()
    assert {"/", *(f"/{slug}/" for slug in pages.SLUGS)} <= set(wanted)
    assert "/claims/startup-window/" in wanted and "/sections/refused/" in wanted


@pytest.mark.slow
def test_every_preview_of_the_site_is_small(tmp_path: Path) -> None:
    found = preview.pictures(ROOT, tmp_path / "out", tmp_path, preview.pictured())
    large = {
        path: size
        for path, at in found.items()
        if (size := (tmp_path / "out" / at).stat().st_size) >= MOST
    }
    assert not large
