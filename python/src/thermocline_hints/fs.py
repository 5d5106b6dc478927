# SPDX-License-Identifier: Apache-2.0
"""A file system of fsspec whose files are hinted when they were written."""

import logging
from datetime import timedelta
from typing import Any

from fsspec.implementations.dirfs import DirFileSystem

from . import Client, Hint, ServiceError

_LOG = logging.getLogger(__name__)


class HintedFileSystem(DirFileSystem):
    """All that another file system does, and a hint for each file that is opened for writing.

    None for what is written without open: by put, pipe_file, cp_file, mv.

    said: what the hints say, as the fields of Hint; op is ADVISE by default.
    refused: how many hints were not taken. A hint never fails a write.
    """

    protocol = "hinted"
    cachable = False

    def __init__(self, fs: Any, client: Client, lease: timedelta = timedelta(days=1), **said: str):
        super().__init__(path="/", fs=fs)
        # Paths as they are: to some file systems an empty one is not the root.
        self.path = ""
        self._client = client
        self._lease = lease
        self._said = {"op": "ADVISE", **said}
        self.refused = 0

    def open(self, path, mode="rb", *args, **kwargs):
        file = super().open(path, mode, *args, **kwargs)
        writes = any(letter in mode for letter in "wax+")
        return _Written(file, lambda: self._hint(path)) if writes else file

    def _hint(self, path: str) -> None:
        try:
            [answer] = self._client.give(Hint(target=path, lease=self._lease, **self._said))
            problem = None if answer.is_taken else f"{answer.error}: {answer.message}"
        except (ServiceError, OSError, ValueError) as error:
            problem = str(error)
        if problem is not None:
            self.refused += 1
            level = logging.WARNING if self.refused == 1 else logging.DEBUG
            _LOG.log(level, "no hint for %s: %s", path, problem)


class _Written:
    """A file that tells when it was written: once, when it is closed without an error."""

    def __init__(self, file, written):
        self._file = file
        self._written = written

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __iter__(self):
        return iter(self._file)

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self._written = None
        result = self._file.__exit__(kind, error, trace)
        self._tell()
        return result

    def close(self):
        self._file.close()
        self._tell()

    def _tell(self):
        written, self._written = self._written, None
        if written is not None:
            written()
