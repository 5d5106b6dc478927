# SPDX-License-Identifier: Apache-2.0
import json
import socket
import threading
from datetime import timedelta

import pytest
from thermocline_hints import Client, Hint, ServiceError

HOURS = timedelta(hours=2)


def test_asks_as_version_one(service, golden):
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, golden("give.answer"))
    client = Client(service.address, user="etl")
    answers = client.give(
        [
            Hint(
                "prefetch",
                "hdfs://ns1/warehouse/orders",
                HOURS,
                scope="directory",
                pattern="read-intensive",
                requirement="low-latency",
                temperature="hot",
                stream="orders",
                owner="etl",
            ),
            Hint("ADVISE", "wal", timedelta(milliseconds=5), scope="STREAM"),
        ]
    )
    sent = json.loads(service.requests[0][2])
    expected = json.loads(golden("give.request"))
    # Who it comes from by default is the application.
    assert expected[0].pop("source") == "USER"
    assert sent == expected
    assert service.requests[0][3]["X-Thermocline-User"] == "etl"
    assert answers[0].is_taken and answers[0].id == "16390.prefetch" and answers[0].task is None
    assert not answers[1].is_taken and answers[1].error == "FORBIDDEN"


def test_understands_later_services(service, golden):
    service.answers["POST", "/api/v1/hints?dryRun=true"] = (200, golden("give-later.answer"))
    hint = Hint("PIN", "/a", HOURS)
    taken, refused = Client(service.address).give([hint, hint], dry_run=True)
    assert taken.task == 7
    assert refused.error == "TOO_LATE_IN_THE_DAY"


def test_sends_many_in_parts(service):
    answer = json.dumps([{"id": "h"}] * 1000)
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, answer)
    assert len(Client(service.address).give([Hint("PIN", "/a", HOURS)] * 2000)) == 2000
    with pytest.raises(ServiceError, match="not one answer for each of 7"):
        Client(service.address).give([Hint("PIN", "/a", HOURS)] * 7)


def test_lists_renews_and_takes_back(service, golden, tmp_path):
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    client = Client(service.address, token_file=str(token))
    service.answers["GET", "/api/v1/hints/due?limit=500&offset=0&owner=etl"] = (
        200,
        golden("due.answer"),
    )
    [question] = client.due("etl")
    assert question["reason"] == "UNUSED"
    page = '{"items": [{"id": "%d"}], "total": 2, "offset": %d}'
    for offset in (0, 1):
        service.answers["GET", f"/api/v1/hints?limit=500&offset={offset}&path=%2Fa+b"] = (
            200,
            page % (offset, offset),
        )
    assert [hint["id"] for hint in client.hints("/a b")] == ["0", "1"]
    one = '{"items": [{"id": "7.pin"}], "total": 1, "offset": 0}'
    service.answers["GET", "/api/v1/hints?limit=500&offset=0&on=%2Fa&owner=etl"] = (200, one)
    assert [hint["id"] for hint in client.hints(on="/a", owner="etl")] == ["7.pin"]
    service.answers["POST", "/api/v1/hints/a%2Fb/renew"] = (200, golden("hint.answer"))
    assert client.renew("a/b", timedelta(days=1))["expires"] == 1767225600000
    assert service.requests[-1][2] == golden("renew.request").strip().replace(":", ": ")
    service.answers["DELETE", "/api/v1/hints/7.pin"] = (204, "")
    client.take_back("7.pin")
    assert {request[3]["Authorization"] for request in service.requests} == {"Bearer s3cret"}


@pytest.mark.parametrize(
    "page",
    ["", "7", "[]", "{}", '{"items": {}, "total": 1}', '{"items": [7], "total": 1}', '{"items": []}'],
)
def test_a_page_that_it_does_not_understand(service, page):
    service.answers["GET", "/api/v1/hints?limit=500&offset=0"] = (200, page)
    with pytest.raises(ServiceError) as failed:
        list(Client(service.address).hints())
    assert failed.value.code == "NOT_UNDERSTOOD"


def test_an_answer_that_it_does_not_understand(service):
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, '[{"error": "no"}]')
    with pytest.raises(ServiceError) as failed:
        Client(service.address).give(Hint("PIN", "/a", HOURS))
    assert failed.value.code == "NOT_UNDERSTOOD"


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_that_is_nested_too_deeply(service, status):
    service.answers["GET", "/api/v1/tasks/3"] = (status, "[" * 100_000)
    with pytest.raises(ServiceError) as failed:
        Client(service.address).task(3)
    assert failed.value.code == "NOT_UNDERSTOOD"


def test_errors_have_codes(service, golden):
    service.answers["DELETE", "/api/v1/hints/7.pin"] = (404, golden("error.answer"))
    with pytest.raises(ServiceError, match="no hint 7.pin; its lease may be over") as refused:
        Client(service.address).take_back("7.pin")
    assert refused.value.code == "NO_SUCH_HINT"
    with pytest.raises(ServiceError, match="answered 404; is it the address"):
        Client(service.address).task(3)


def test_another_instance_answers(service):
    service.answers["GET", "/api/v1/tasks/3"] = (200, '{"state": "DONE"}')
    assert Client(f"http://127.0.0.1:1, {service.address}/").task(3) == {"state": "DONE"}
    standby = '{"code": "STANDBY", "message": "ask the other one", "retriable": true}'
    service.answers["GET", "/api/v1/tasks/4"] = (503, standby)
    for order in (f"http://127.0.0.1:1,{service.address}", f"{service.address},http://127.0.0.1:1"):
        with pytest.raises(ServiceError) as failed:
            Client(order).task(4)
        assert failed.value.code == "STANDBY"
    with pytest.raises(ServiceError) as down:
        Client("http://127.0.0.1:1").task(3)
    assert down.value.code == "SERVICE_DOWN"


def test_is_led_nowhere_else(service):
    service.answers["GET", "/api/v1/tasks/3"] = (302, "")
    with pytest.raises(ServiceError):
        Client(service.address).task(3)
    assert len(service.requests) == 1


@pytest.mark.parametrize("bad", ["", " , ", "tiering:8480", "ftp://a:1", "http://", "http://a:1/x"])
def test_addresses_are_checked(bad):
    with pytest.raises(ValueError, match="such as https://tiering1:8480"):
        Client(bad)


def test_leases_are_checked():
    with pytest.raises(ValueError, match="a millisecond at least"):
        Hint("PIN", "/a", timedelta(0)).request()


def test_hears_what_is_no_answer_of_a_service(service):
    service.answers["POST", "/api/v1/hints?dryRun=false"] = (200, '["a"]')
    with pytest.raises(ServiceError) as failed:
        Client(service.address).give(Hint("PIN", "/a", timedelta(hours=1)))
    assert failed.value.code == "NOT_UNDERSTOOD"


def test_hears_what_is_no_http():
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer():
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"\x15\x03\x01\x00\x02\x02\x46")

        answering = threading.Thread(target=answer)
        answering.start()
        with pytest.raises(ServiceError) as failed:
            Client("http://127.0.0.1:%d" % listening.getsockname()[1]).task(3)
        answering.join()
    assert failed.value.code == "SERVICE_DOWN"
