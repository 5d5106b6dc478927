# SPDX-License-Identifier: Apache-2.0
"""Says to Thermocline's tiering service what is known of data in HDFS."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Dict, Iterable, Iterator, List, Optional, Union

__all__ = ["Answer", "Client", "Hint", "ServiceError"]

_ROOT = "/api/v1"
_MOST_HINTS = 1000
_MOST_ANSWER_BYTES = 64 << 20
_PAGE = 500


@dataclass(frozen=True)
class Hint:
    """What to expect of a file, of all in a directory, or of a stream of files.

    target: an absolute path, or the tag of a stream; with a scheme and a host, as fsspec writes
    paths, these are left out.
    lease: for how long it holds, from when it is given.
    owner: the caller's name by default.
    starts_in: after how long it begins to hold; at once by default.
    """

    op: str
    target: str
    lease: timedelta
    scope: str = "FILE"
    pattern: Optional[str] = None
    requirement: Optional[str] = None
    temperature: Optional[str] = None
    stream: Optional[str] = None
    owner: Optional[str] = None
    starts_in: Optional[timedelta] = None

    def request(self) -> Dict[str, Any]:
        """The JSON of the REST interface."""
        target = self.target
        if "://" in target and self.scope.upper() != "STREAM":
            target = "/" + target.split("://", 1)[1].partition("/")[2]
        fields = {
            "op": self.op.upper(),
            "scope": self.scope.upper(),
            "target": target,
            "pattern": self.pattern and self.pattern.upper().replace("-", "_"),
            "requirement": self.requirement and self.requirement.upper().replace("-", "_"),
            "temperature": self.temperature and self.temperature.upper(),
            "owner": self.owner,
            "stream": self.stream,
            "startsInMillis": self.starts_in and _millis(self.starts_in),
            "leaseMillis": _millis(self.lease),
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Answer:
    """What became of a hint: its id and the task of what it asks for, or what is wrong with it."""

    id: Optional[str]
    task: Optional[int]
    error: Optional[str]
    message: Optional[str]

    @property
    def is_taken(self) -> bool:
        return self.error is None


class ServiceError(Exception):
    """The service said no, or nothing.

    code: a stable name, such as NO_SUCH_HINT; SERVICE_DOWN where nothing was heard.
    """

    def __init__(self, code: str, message: str, retriable: bool = False):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.retriable = retriable


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is for the service alone."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Client:
    """Asks whichever instance of the service answers. For any thread.

    addresses: of the instances, separated by commas.
    token_file: read anew with each request; without it the user is only named.
    timeout: seconds for each step of a request.
    """

    def __init__(
        self,
        addresses: str,
        token_file: Optional[str] = None,
        user: Optional[str] = None,
        timeout: float = 5,
    ):
        self._addresses = [_address(each) for each in addresses.split(",") if each.strip()]
        if not self._addresses:
            raise ValueError("no address of a tiering service, such as https://tiering1:8480")
        self._token_file = token_file
        self._user = user
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def give(self, hints: Union[Hint, Iterable[Hint]], dry_run: bool = False) -> List[Answer]:
        """Gives hints, each of which is taken or refused by itself; answers in their order."""
        requests = [hint.request() for hint in ([hints] if isinstance(hints, Hint) else hints)]
        answers: List[Answer] = []
        for start in range(0, len(requests), _MOST_HINTS):
            part = requests[start : start + _MOST_HINTS]
            said = self._ask("POST", "/hints?dryRun=" + str(dry_run).lower(), part)
            whole = isinstance(said, list) and all(isinstance(each, dict) for each in said)
            if not whole or len(said) != len(part):
                raise ServiceError("NOT_UNDERSTOOD", f"not one answer for each of {len(part)} hints")
            answers.extend(_answer(each) for each in said)
        return answers

    def hints(
        self,
        path: Optional[str] = None,
        owner: Optional[str] = None,
        stream: Optional[str] = None,
        on: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """The hints that hold, as the REST interface shows them.

        path: those on it, below it, and above it for it.
        on: those on this path, or this stream, alone; an older service knows no such question.
        """
        return self._pages("/hints", path=path, on=on, owner=owner, stream=stream)

    def due(self, owner: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """What the owner is asked: {hint, reason, answerBy}. Renewing answers, and taking back."""
        return self._pages("/hints/due", owner=owner)

    def renew(self, hint: str, lease: timedelta) -> Dict[str, Any]:
        """Gives a hint a new lease from now on, by its id."""
        return self._ask("POST", f"/hints/{_part(hint)}/renew", {"leaseMillis": _millis(lease)})

    def take_back(self, hint: str) -> None:
        """Ends a hint, by its id."""
        self._ask("DELETE", "/hints/" + _part(hint))

    def task(self, number: int) -> Dict[str, Any]:
        """Where the task is that does what a hint asks for: {state, done, total, result, ...}."""
        return self._ask("GET", f"/tasks/{int(number)}")

    def file(self, path: str) -> Dict[str, Any]:
        """How hot a file is, where its copies are, and why."""
        return self._ask("GET", "/files?" + urllib.parse.urlencode({"path": path}))

    def _pages(self, resource: str, **query: Optional[str]) -> Iterator[Dict[str, Any]]:
        known = {name: value for name, value in query.items() if value is not None}
        offset = 0
        while True:
            asked = urllib.parse.urlencode({"limit": _PAGE, "offset": offset, **known})
            page = self._ask("GET", f"{resource}?{asked}")
            items = _field(page, "items", list)
            total = _field(page, "total", int)
            if not all(isinstance(each, dict) for each in items):
                raise ServiceError("NOT_UNDERSTOOD", f"{resource} has more than objects")
            yield from items
            offset += len(items)
            if not items or offset >= total:
                return

    def _ask(self, method: str, resource: str, body: Any = None) -> Any:
        failure: Optional[ServiceError] = None
        for address in list(self._addresses):
            try:
                return self._ask_at(address, method, resource, body)
            except ServiceError as error:
                if not error.retriable:
                    raise
                # What one said tells more than that another is down.
                if failure is None or failure.code == "SERVICE_DOWN":
                    failure = error
        assert failure is not None
        raise failure

    def _ask_at(self, address: str, method: str, resource: str, body: Any) -> Any:
        request = urllib.request.Request(address + _ROOT + resource, method=method)
        request.add_header("Accept", "application/json")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self._user is not None:
            request.add_header("X-Thermocline-User", self._user)
        if self._token_file is not None:
            with open(self._token_file, encoding="utf-8") as file:
                request.add_header("Authorization", "Bearer " + file.read().strip())
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                text = answer.read(_MOST_ANSWER_BYTES)
                return json.loads(text) if text.strip() else None
        except urllib.error.HTTPError as error:
            raise _refused(address, error) from None
        except (ValueError, RecursionError) as error:
            # The latter where it is nested too deeply.
            raise ServiceError("NOT_UNDERSTOOD", f"{address} answered no JSON: {error}") from None
        except (OSError, http.client.HTTPException) as error:
            raise ServiceError(
                "SERVICE_DOWN", f"no answer of the tiering service at {address}: {error}", True
            ) from error


def _refused(address: str, error: urllib.error.HTTPError) -> ServiceError:
    try:
        said = json.loads(error.read(_MOST_ANSWER_BYTES))
        words = said["message"] + ("; " + said["whatToDo"] if said.get("whatToDo") else "")
        return ServiceError(said["code"], words, bool(said.get("retriable")))
    except (ValueError, KeyError, TypeError, RecursionError):
        return ServiceError(
            "NOT_UNDERSTOOD",
            f"{address} answered {error.code}; is it the address of the tiering service?",
            error.code in (502, 503, 504),
        )


def _field(answer: Any, name: str, kind: type) -> Any:
    value = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(value, kind):
        raise ServiceError(
            "NOT_UNDERSTOOD", f"an answer without {name}; is the service of another version?"
        )
    return value


def _answer(said: Dict[str, Any]) -> Answer:
    error = _field(said, "error", dict) if said.get("error") else {}
    return Answer(said.get("id"), said.get("task"), error.get("code"), error.get("message"))


def _millis(lease: timedelta) -> int:
    millis = lease // timedelta(milliseconds=1)
    if millis < 1:
        raise ValueError(f"a lease of {lease}: expected a millisecond at least")
    return millis


def _part(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _address(text: str) -> str:
    parts = urllib.parse.urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError(f"'{text}' is no address of a tiering service, such as https://tiering1:8480")
    return f"{parts.scheme}://{parts.netloc}"
