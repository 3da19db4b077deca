"""What the league has said in English, told again in Russian: by the sentences as they are really made."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.phrases import STEPS
from dashboard.retelling import LONGEST, retell
from dashboard.translate import translations
from dashboard.words import Words
from league.model import SuspensionCause
from league.suspension import Conduct, suspension_detail
from referee import faults
from workers.archives import ArchiveError, unpack
from workers.checking.checks import STEPS as CHECK_STEPS
from workers.manifests import BotError, read_manifest

RUSSIAN = Words(translations("ru"), "ru")
MANIFEST = 'name = "one"\nversion = "1"\nrun = ["python3", "bot.py"]\nvariants = ["*"]\nlanguage = "Python"\n'


def fault_details() -> Iterator[str]:
    """A detail of each kind that the referee tells."""
    cause = faults.illegal_index(request_id=7, index=5, action_count=4)
    made = (
        faults.overrun(request_count=1, over_ms=20, overrun_count=1),
        faults.overrun(request_count=3, over_ms=20, overrun_count=2),
        faults.gone(request_count=2),
        faults.never_ready(allowance_ms=30000, last_refusal=""),
        faults.never_ready(allowance_ms=30000, last_refusal="the bytes are no PlayRequest"),
        faults.absent_from_start(cause),
        faults.exited(exit_status=3, detail=""),
        faults.exited(exit_status=-9, detail=""),
        cause,
        faults.unknown_request(request_id=5, last_id=9),
        faults.unknown_request(request_id=50, last_id=9),
        faults.wrong_table_limit(999, most=256),
        faults.too_many_frames(frame_count=99, request_count=3),
        faults.too_many_streams(stream_count=99, request_count=3),
        faults.frame_too_long(size_bytes=2 << 20),
        faults.broken_protocol("a frame of 5000 messages; the limit is 4096 messages"),
        faults.unread(unsent_bytes=5 << 20),
    )
    return (fault.detail for fault in made)


def suspension_details() -> Iterator[str]:
    """Why a bot is suspended, for each cause that the league finds by itself."""
    conduct = Conduct(matches=40, exits=6, sittings=12, overrun_sittings=5)
    return (suspension_detail(cause, conduct) for cause in (SuspensionCause.EXITS, SuspensionCause.OVERRUNS))


@pytest.mark.parametrize("text", [*fault_details(), *suspension_details(), *STEPS])
def test_sentences_of_the_league_are_in_russian(text: str) -> None:
    """No English is left of a sentence that the referee or the league makes, and its figures are the same."""
    told = str(retell(text, RUSSIAN))
    assert 'lang="en"' not in told
    assert told != text
    assert [word for word in told.split() if word.isdecimal() and word not in text] == []


def test_steps_are_those_of_the_check() -> None:
    """The pages know the names of all steps."""
    assert STEPS == CHECK_STEPS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "step 3 of the check, “ready in time”: absent: not ready within 30000 ms of its start; the allowance is "
            "30 s; it never said hello: does it dial the address in KING_REFEREE?",
            "шаг 3 проверки, «готов вовремя»: неявка: не готов через 30000 мс после запуска; отведено 30 с; "
            "он не поздоровался: соединяется ли он по адресу из KING_REFEREE?",
        ),
        (
            "russian-14: illegal: request 7: index 5 is not from 0 to 3 (asked: play in deal 2)",
            "russian-14: недопустимый ход: запрос 7: номер действия 5 — не от 0 до 3 (спрошено: play in deal 2)",
        ),
        ("it runs where it can write nowhere else", "он работает там, где больше никуда писать нельзя"),
    ],
)
def test_sentences_within_sentences(text: str, told: str) -> None:
    """A sentence that holds another one is told as a whole."""
    assert str(retell(text, RUSSIAN)) == told


def archive_of(**files: str) -> bytes:
    """A zip archive of small files, `_` for a dot in their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.replace("_", "."), text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "archive", [b"no zip at all", archive_of(bot_py="pass"), archive_of(bot_toml="a", BOT_TOML="a")]
)
def test_refusals_of_an_archive_are_in_russian(archive: bytes, tmp_path: Path) -> None:
    """What is wrong with an archive is told without English words of ours."""
    with pytest.raises(ArchiveError) as refused:
        unpack(archive, tmp_path / "bot")
    assert "lang" not in retell(str(refused.value), RUSSIAN)


@pytest.mark.parametrize(
    "manifest",
    [MANIFEST.replace("name", "nmae"), MANIFEST.replace('"1"', "1"), MANIFEST.replace('["*"]', "3"), 'name = "one"'],
)
def test_refusals_of_a_manifest_are_in_russian(manifest: str, tmp_path: Path) -> None:
    """What is wrong with a manifest is told without English words of ours."""
    path = tmp_path / "bot.toml"
    path.write_text(manifest, encoding="utf-8")
    with pytest.raises(BotError) as refused:
        read_manifest(tmp_path)
    assert "lang" not in retell(str(refused.value).replace(str(path), "bot.toml"), RUSSIAN)


def test_strange_words_stay_and_are_marked() -> None:
    """A bot's own last words are shown as they are, marked as English and with nothing of theirs taken as markup."""
    told = retell("the process ended with exit status 1: KeyError: '<b>'", RUSSIAN)
    assert told == ('процесс завершился с кодом 1: <span lang="en">KeyError: &#39;&lt;b&gt;&#39;</span>')


def test_long_texts_are_logs() -> None:
    """A text too long for a sentence is not searched for one."""
    text = "the process ended with exit status 1: " + "x" * LONGEST
    assert retell(text, RUSSIAN) == f'<span lang="en">{text}</span>'


def test_english_readers_see_what_was_said() -> None:
    """In English nothing is told again, and nothing is marked."""
    assert retell("<odd>", Words(translations("en"), "en")) == "&lt;odd&gt;"
