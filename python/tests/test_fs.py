# SPDX-License-Identifier: Apache-2.0
import json
from datetime import timedelta

import pytest

fsspec = pytest.importorskip("fsspec")

from thermocline_hints import Client  # noqa: E402
from thermocline_hints.fs import HintedFileSystem  # noqa: E402


def test_what_is_written_is_hinted(service, tmp_path):
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, '[{"id": "1.advise"}]')
    fs = HintedFileSystem(
        fsspec.filesystem("file"),
        Client(service.address),
        lease=timedelta(hours=1),
        requirement="LOW_LATENCY",
    )
    path = str(tmp_path / "part-0")
    with fs.open(path, "wb") as out:
        out.write(b"warm")
        assert service.requests == []
    out.close()
    with fs.open(path) as read:
        assert read.read() == b"warm"
    assert fs.ls(str(tmp_path), detail=False) == [path]
    [request] = service.requests
    assert json.loads(request[2]) == [
        {
            "op": "ADVISE",
            "scope": "FILE",
            "target": path,
            "requirement": "LOW_LATENCY",
            "leaseMillis": 3600000,
        }
    ]
    assert fs.refused == 0


def test_trouble_is_not_the_applications(service, tmp_path):
    refused = '[{"error": {"code": "FORBIDDEN", "message": "no"}}]'
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, refused)
    for address in (service.address, "http://127.0.0.1:1"):
        fs = HintedFileSystem(fsspec.filesystem("file"), Client(address))
        for name in "ab":
            with fs.open(str(tmp_path / name), "w") as out:
                out.write("x")
        assert fs.refused == 2
        assert (tmp_path / "b").read_text() == "x"


def test_what_was_broken_off_is_not_hinted(service, tmp_path):
    fs = HintedFileSystem(fsspec.filesystem("file"), Client(service.address))
    with pytest.raises(RuntimeError):
        with fs.open(str(tmp_path / "a"), "w") as out:
            out.write("x")
            raise RuntimeError
    out = fs.open(str(tmp_path / "b"), "w")
    print("y", file=out)
    assert service.requests == []
    out.close()
    assert len(service.requests) == 1
