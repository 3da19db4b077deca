"""What a check found, step by step, and its forms: JSON, JUnit, lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What came of one step.

    Attributes:
        passed: None if the check did not get so far.
        message: one sentence.
        seconds: how long it took.
        sent: what the referee, or the check, said last.
        received: what the bot said, or did.
    """

    passed: bool | None
    message: str
    seconds: float = 0.0
    sent: str = ""
    received: str = ""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step with its number, from 1, and its name."""

    number: int
    name: str
    finding: Finding

    @property
    def word(self) -> str:
        """How it went, in a word or two."""
        return {True: "pass", False: "FAIL", None: "not reached"}[self.finding.passed]

    def to_json(self) -> dict[str, Any]:
        """The step as JSON."""
        found = self.finding
        return {
            "number": self.number,
            "name": self.name,
            "passed": found.passed,
            "seconds": round(found.seconds, 3),
            "sent": found.sent,
            "received": found.received,
            "message": found.message,
        }


@dataclass(kw_only=True)
class Report:
    """All steps of the check of a bot; `stderr` is the end of what the bot's failing, or last, process wrote."""

    bot: str
    version: str
    steps: list[Step] = field(default_factory=list)
    asked: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """By variant, how often the bot was asked each kind of decision."""
    stderr: str = ""

    @property
    def passed(self) -> bool:
        """Whether every step has passed."""
        return all(step.finding.passed for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "bot": self.bot,
            "version": self.version,
            "passed": self.passed,
            "steps": [step.to_json() for step in self.steps],
            "asked": {variant: dict(counts) for variant, counts in self.asked.items()},
            "stderr": self.stderr,
        }

    def to_junit(self) -> str:
        """The report as JUnit XML: a test case for each step, one not reached is skipped."""
        counts = [step.finding.passed for step in self.steps]
        suite = ElementTree.Element(
            "testsuite",
            name=f"king check {self.bot} {self.version}",
            tests=str(len(counts)),
            failures=str(counts.count(False)),
            skipped=str(counts.count(None)),
            errors="0",
            time=f"{sum(step.finding.seconds for step in self.steps):.3f}",
        )
        for step in self.steps:
            self._add_case(suite, step)
        if self.stderr:
            ElementTree.SubElement(suite, "system-err").text = _for_xml(self.stderr)
        ElementTree.indent(suite)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

    def _add_case(self, suite: ElementTree.Element, step: Step) -> None:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"king.check.{self.bot}",
            name=f"{step.number} {step.name}",
            time=f"{step.finding.seconds:.3f}",
        )
        if step.finding.passed is False:
            failure = ElementTree.SubElement(case, "failure", message=_for_xml(step.finding.message))
            failure.text = _for_xml("\n".join(exchange_lines(step.finding)))
        elif step.finding.passed is None:
            ElementTree.SubElement(case, "skipped", message=_for_xml(step.finding.message))


def step_line(step: Step) -> str:
    """The step on one line."""
    seconds = "" if step.finding.passed is None else f"{step.finding.seconds:.2f} s"
    return f"{step.number:2} {step.name:<28} {step.word:<11} {seconds:>8}  {step.finding.message}"


def exchange_lines(finding: Finding) -> Iterator[str]:
    """What was sent and what came back, one line each."""
    yield f"sent:     {finding.sent or 'nothing'}"
    yield f"received: {finding.received or 'nothing'}"


def _for_xml(text: str) -> str:
    """The text without what XML 1.0 cannot hold."""
    return "".join(letter for letter in text if letter in "\t\n" or (letter >= " " and letter not in "\ufffe\uffff"))
