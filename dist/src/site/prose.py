# SPDX-License-Identifier: Apache-2.0
"""Reads pages with proselint: its own checks of wording, and the words and long sentences that this project avoids.

Usage: prose.py FILE ... prints file:line:column and the finding, and exits with 1 if there is any.
"""

import re
import sys
from pathlib import Path

from proselint.checks import __register__
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check, CheckResult, types
from proselint.tools import LintFile

OWN_CHECKS = [
    "archaism", "malapropisms", "mondegreens", "needless_variants", "nonwords",
    "redundancy", "oxymorons", "cliches.write_good",
]

# Words that readers whose first language isn't English look up, and what they know.
WORDS = {
    "anew": "again", "at the least": "at least", "beside": "next to, with, or as well as",
    "but for": "except", "for whom": "a noun", "goes on": "continues", "levers?": "action",
    "none but": "only", "stands": "is", "stands for": "means", "thereby": "so", "those that": "the noun",
    "whoever": "a noun", "whom": "a noun", "whomever": "a noun", "belief": "reliability",
    "regrets?": "misprediction", "steering": "control", "keeper": "the service's own name",
}

MOST_WORDS = 42


def long_sentences(text, check):
    for paragraph in re.finditer(r"(?:(?!\n[ \t]*\n|\n[ \t]*(?:[-*|#]|\d+\.) |\|).)+", text, re.DOTALL):
        begin = paragraph.start()
        for sentence in re.split(r"(?<=[.!?:;])\s+", paragraph.group()):
            words = len(sentence.split())
            if words > MOST_WORDS:
                at = text.index(sentence, begin)
                yield CheckResult(check.path, f"A sentence of {words} words: at most {MOST_WORDS}", (at, at + 1), None)


def plain(text):
    """The same text with spaces instead of code, links and comments, so that each place stays where it is."""
    for pattern in (r"(?ms)^ *```.*?^ *```", r"(?s)<!--.*?-->", r"`[^`]*`", r"\]\([^)]*\)", r"https?://\S+"):
        text = re.sub(pattern, lambda found: re.sub(r"\S", " ", found.group()), text)
    return text


def main():
    registry = CheckRegistry()
    registry.register_many(__register__)
    registry.register(Check(types.PreferredForms(WORDS), path="words", message="Write '{}' instead of '{}'"))
    registry.register(Check(long_sentences, path="sentences"))
    checks = {name: True for name in [*OWN_CHECKS, "words", "sentences"]}
    findings = 0
    for name in sys.argv[1:]:
        text = plain(Path(name).read_text())
        for found in LintFile(name, text).lint({"max_errors": 100, "checks": checks}):
            print(f"{name}:{found.pos[0] - 1}:{found.pos[1]}: {found.check_result.message}")
            findings += 1
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
