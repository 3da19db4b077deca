"""Frames as people read them: proto JSON on one line, the bot's token left out, cut to a readable length."""

from __future__ import annotations

import json
from collections.abc import Iterable, Set
from typing import Any, Final

from referee.codec import FrameError, bot_frame_json, referee_frame_json, requests_in
from workers.checking.traffic import Frame, Traffic

LENGTH: Final = 800
_SHOWN_BYTES: Final = 24
_CUT: Final = " … "


def bot_frame_text(frame: Frame | None, tokens: Iterable[str] = ()) -> str:
    """What the bot said; bytes that are no frame are shown as they are. `tokens` are those that it was given."""
    if frame is None:
        return ""
    try:
        form = bot_frame_json(frame.content)
    except FrameError:
        return f"{len(frame.content)} bytes that are no frame: {_hex(frame.content)}"
    for message in form["messages"]:
        if "hello" in message:
            message["hello"]["token"] = _hidden(message["hello"]["token"], tokens)
    return _line(form)


def referee_frame_text(frame: Frame | None, *, only_ids: Set[str] = frozenset()) -> str:
    """What the referee said; of a frame with requests only these, if there are any those with `only_ids`."""
    if frame is None:
        return ""
    form = referee_frame_json(frame.content)
    messages = form["messages"]
    asked = [message for message in messages if "request" in message]
    meant = [message for message in asked if message["request"]["request_id"] in only_ids]
    shown = meant or asked or messages
    left_out = len(messages) - len(shown)
    note = f" and {left_out} more messages in this frame" if left_out else ""
    for message in shown:
        for action in message.get("request", {}).get("legal_actions", []):
            _drop_defaults(action)
    return _line({"messages": shown}) + note


def last_exchange(traffic: Traffic, tokens: Iterable[str]) -> tuple[str, str]:
    """What was asked last, and what the bot said after that, as texts."""
    asked = traffic.asked_frames[-1] if traffic.asked_frames else None
    return _exchange(asked, traffic.heard_frames[-1] if traffic.heard_frames else None, tokens)


def faulty_exchange(traffic: Traffic, kind: str, tokens: Iterable[str]) -> tuple[str, str]:
    """What was asked and what the bot said when it had a fault of this kind, as texts."""
    if kind == "timeout" and traffic.tightest is not None:
        return _exchange(traffic.tightest, _answer_to(traffic, traffic.tightest), tokens)
    if kind == "protocol" and traffic.stray is not None:
        return _exchange(_asked_before(traffic, traffic.stray), traffic.stray, tokens)
    return last_exchange(traffic, tokens)


def _exchange(asked: Frame | None, heard: Frame | None, tokens: Iterable[str]) -> tuple[str, str]:
    if asked is not None and heard is not None and heard.at < asked.at:
        heard = None
    return referee_frame_text(asked, only_ids=_ids_answered(heard)), bot_frame_text(heard, tokens)


def _answer_to(traffic: Traffic, asked: Frame) -> Frame | None:
    """The first frame that answers some of what `asked` asks; it may have come too late."""
    ids = _ids_asked(asked)
    return next((frame for frame in traffic.heard_frames if ids & _ids_answered(frame)), None)


def _asked_before(traffic: Traffic, heard: Frame) -> Frame | None:
    """The frame that asked what `heard` answers, or else the last before it."""
    ids = _ids_answered(heard)
    before = [frame for frame in traffic.asked_frames if frame.at <= heard.at]
    meant = [frame for frame in before if ids & _ids_asked(frame)]
    return next(reversed(meant or before), None)


def shortened(text: str, length: int = LENGTH) -> str:
    """The text, its middle left out if it is longer."""
    if len(text) <= length:
        return text
    half = (length - len(_CUT)) // 2
    return f"{text[:half]}{_CUT}{text[-half:]}"


def _ids_asked(frame: Frame) -> set[str]:
    return {str(each.request_id) for each in requests_in(frame.content)}


def _ids_answered(frame: Frame | None) -> set[str]:
    try:
        messages = [] if frame is None else bot_frame_json(frame.content)["messages"]
    except FrameError:
        return set()
    return {message["choice"]["request_id"] for message in messages if "choice" in message}


def _line(form: dict[str, Any]) -> str:
    if not form.get("more"):
        form.pop("more", None)
    return shortened(json.dumps(form, ensure_ascii=False, separators=(",", ":")))


def _drop_defaults(action: dict[str, Any]) -> None:
    for name in [name for name, value in action.items() if value in {"", 0, "SUIT_UNSPECIFIED"}]:
        del action[name]


def _hidden(token: str, tokens: Iterable[str]) -> str:
    if token in tokens:
        return "(KING_TOKEN)"
    return f"({len(token)} characters that are not KING_TOKEN)" if token else ""


def _hex(content: bytes) -> str:
    return content[:_SHOWN_BYTES].hex(" ") + (_CUT.rstrip() if len(content) > _SHOWN_BYTES else "")
