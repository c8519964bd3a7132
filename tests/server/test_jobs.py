"""Jobs: they end, survive a restart, can be cancelled, and keep nothing in clear."""

import time
from pathlib import Path

import pytest
from tests.server.conftest import KEEPER, TOKEN, bearer, make_client

from maskwise import Sanitizer
from maskwise.errors import InputError, OutputError
from maskwise.server.job_runner import JobRunner, pack_request
from maskwise.server.jobs import LEASE, TRIES, JobState, JobStore
from maskwise.server.metrics import Metrics
from maskwise.server.settings import ServerSettings
from maskwise.server.shelf import PolicyShelf

TEXTS = [f"Ms Orla Vexley met Tom Reed{at} in Porto." for at in range(40)]


def wait_for(client, job, headers=None):
    for _ in range(600):
        found = client.get(f"/v1/jobs/{job}", headers=headers).json()
        if found["state"] not in ("waiting", "running"):
            return found
        time.sleep(0.02)
    raise AssertionError("the job does not end")


def test_a_job_gives_what_the_line_gives(client):
    submitted = client.post("/v1/jobs", json={"text": TEXTS})
    assert submitted.status_code == 202
    job = submitted.json()["id"]
    assert wait_for(client, job)["done"] == len(TEXTS)
    results = client.get(f"/v1/jobs/{job}/result").json()["results"]
    assert [each["masked"] for each in results] == [r.text for r in Sanitizer().run(TEXTS)]


def test_a_file_is_a_job_too(client):
    file = {"file": ("orla vexley.html", b"<p>Ms Orla Vexley left.</p>")}
    job = client.post("/v1/jobs/file", files=file).json()["id"]
    assert wait_for(client, job)["state"] == "done"
    answer = client.get(f"/v1/jobs/{job}/result")
    assert answer.content == b"<p>[PERSON 1] left.</p>"
    assert answer.headers["content-type"].startswith("text/html")


def test_a_job_that_fails_says_why_and_keeps_no_input(client):
    file = {"file": ("a.docx", b"no package")}
    job = client.post("/v1/jobs/file", files=file).json()["id"]
    found = wait_for(client, job)
    assert found["state"] == "failed"
    assert found["error"]
    assert client.get(f"/v1/jobs/{job}/result").status_code == 409


def test_a_job_belongs_to_its_caller(tmp_path, tokens):
    settings = ServerSettings(state=str(tmp_path), tokens=tokens)
    with make_client(settings) as client:
        job = client.post("/v1/jobs", json={"text": "Mr Lee left."}, headers=bearer(TOKEN)).json()[
            "id"
        ]
        wait_for(client, job, bearer(TOKEN))
        for answer in (
            client.get(f"/v1/jobs/{job}", headers=bearer(KEEPER)),
            client.get(f"/v1/jobs/{job}/result", headers=bearer(KEEPER)),
            client.delete(f"/v1/jobs/{job}", headers=bearer(KEEPER)),
        ):
            assert answer.json() == {"error": "no such job"}


def test_jobs_need_a_folder():
    with make_client(ServerSettings()) as client:
        assert client.post("/v1/jobs", json={"text": "a"}).status_code == 404


@pytest.fixture
def store(tmp_path):
    return JobStore(tmp_path / "state")


def submit(store, texts=TEXTS):
    import json

    packed = pack_request({"protect": []}, json.dumps(texts).encode())
    return store.add("desk", "balanced", "", len(texts), packed)


def make_runner(store, **options):
    return JobRunner(store, PolicyShelf(["balanced"]), Metrics(), **options)


def test_a_job_goes_on_where_a_dead_worker_stopped(store, tmp_path):
    job = submit(store)
    dead = store.claim("dead")
    assert dead.id == job.id
    assert store.add_items(dead, "dead", dict.fromkeys(range(16), b'{"masked": "kept"}'))
    assert store.claim("other") is None
    now = time.time()
    later = JobStore(store.folder, clock=lambda: now + LEASE + 1)
    runner = make_runner(later)
    runner.run(later.claim(runner.worker))
    found = later.get(job.id, "desk")
    assert (found.state, found.done) == (JobState.DONE, len(TEXTS))
    items = later.read_items(found)
    assert items[15] == b'{"masked": "kept"}'
    assert b"[PERSON" in items[16]
    assert not later.add_items(dead, "dead", {0: b"late"})


def test_a_cancelled_job_leaves_nothing(store):
    job = submit(store)
    claimed = store.claim("a")
    store.add_items(claimed, "a", {0: b"x"})
    store.end(job.id, JobState.CANCELLED)
    assert not store.add_items(claimed, "a", {1: b"y"})
    assert store.read_items(claimed) == []
    with pytest.raises(InputError, match="is gone"):
        store.read_request(claimed)


def test_a_worker_that_ends_gives_its_jobs_back(store):
    submit(store)
    store.claim("a")
    store.give_back("a")
    assert store.claim("b") is not None


def test_old_jobs_are_forgotten(store):
    job = submit(store)
    store.end(job.id, JobState.DONE)
    assert store.forget(time.time() - 60) == 0
    assert store.forget(time.time() + 60) == 1
    with pytest.raises(InputError, match="no such job"):
        store.get(job.id, "desk")


def test_nothing_stands_in_clear_on_the_disk(store):
    submit(store)
    store.add_items(store.claim("a"), "a", {0: b"Orla Vexley"})
    written = b"".join(path.read_bytes() for path in store.folder.iterdir())
    assert len(written) > 1000
    assert b"Vexley" not in written
    assert oct((store.folder / "jobs.key").stat().st_mode)[-3:] == "600"


def test_another_key_opens_nothing(store, monkeypatch):
    job = submit(store)
    monkeypatch.setenv("MASKWISE_JOBS_KEY", "another key, long enough")
    with pytest.raises(InputError, match="another key"):
        JobStore(store.folder).read_request(job)


def test_a_folder_that_cannot_be_used_is_one_line():
    with pytest.raises(OutputError, match="jobs cannot be kept"):
        JobStore(Path("/proc/nowhere"))


def test_a_full_disk_is_an_error_without_text(store):
    store._connection.execute("PRAGMA max_page_count = 8")
    with pytest.raises(OutputError) as caught:
        submit(store, ["Orla Vexley " * 20_000])
    assert "Vexley" not in str(caught.value)
    assert store.count_waiting() == 0


def test_a_disk_that_is_full_for_a_while_costs_no_job(store, monkeypatch):
    """Neither the results nor the end can be kept: the job waits for better times, and for any worker."""
    job = submit(store, TEXTS[:3])
    runner = make_runner(store)
    full = [True]

    def break_when_full(method):
        def write(*args):
            if full[0]:
                raise OutputError("jobs cannot be kept")
            return method(*args)

        return write

    for name in ("add_items", "end"):
        monkeypatch.setattr(store, name, break_when_full(getattr(store, name)))
    runner.start()
    try:
        wait_until(lambda: store._read("SELECT tries FROM job")[0][0] > 0)
        full[0] = False
        wait_until(lambda: store.get(job.id, "desk").state is JobState.DONE)
    finally:
        runner.close()
    assert len(store.read_items(store.get(job.id, "desk"))) == 3


def wait_until(is_so):
    for _ in range(1500):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it never comes")


def test_a_job_that_kills_its_workers_is_given_up(store):
    job = submit(store)
    now = [time.time()]
    store.clock = lambda: now[0]
    for at in range(TRIES):
        assert store.claim(f"dead {at}").id == job.id
        now[0] += LEASE + 1
    assert store.claim("last") is None
    found = store.get(job.id, "desk")
    assert (found.state, found.error) == (JobState.FAILED, f"given up after {TRIES} tries")
    with pytest.raises(InputError, match="is gone"):
        store.read_request(found)


def test_a_job_that_goes_on_is_not_given_up(store):
    """Each result counts as a new beginning, and so does a worker that ends well."""
    job = submit(store)
    now = [time.time()]
    store.clock = lambda: now[0]
    for at in range(TRIES * 2):
        claimed = store.claim(f"w{at}")
        assert store.add_items(claimed, f"w{at}", {at: b"x"})
        now[0] += LEASE + 1
    for at in range(TRIES * 2):
        assert store.claim(f"v{at}").id == job.id
        store.give_back(f"v{at}")


def test_jobs_of_an_older_version_are_read(tmp_path):
    store = JobStore(tmp_path / "state")
    job = submit(store)
    store._connection.execute("ALTER TABLE job DROP COLUMN tries")
    store.close()
    assert JobStore(tmp_path / "state").claim("a").id == job.id
