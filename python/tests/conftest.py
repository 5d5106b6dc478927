# SPDX-License-Identifier: Apache-2.0
import pathlib

import pytest
from service import Service

GOLDEN = pathlib.Path(__file__).parents[2] / "hints-client/src/test/resources/golden"


@pytest.fixture
def service():
    running = Service()
    yield running
    running.close()


@pytest.fixture
def golden():
    """The messages that the Java client is held against, too."""
    return lambda name: (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
