"""Where documents lie: folders, patterns, URLs, and stores that fail for a moment."""

import fsspec
import pytest
from batch_letters import list_outputs

from maskwise import io
from maskwise.errors import InputError, OutputError
from maskwise.scale import store
from maskwise.scale.batch import BatchRun, run_batch
from maskwise.scale.sources import list_source
from maskwise.scale.store import StorePlace
from maskwise.scale.worker import Worker


def names(source, **options):
    return [file.name for file in list_source(str(source), **options).files]


def test_patterns_choose_files(letters):
    assert names(letters / "box1" / "*.txt") == [f"letter{n}.txt" for n in (1, 10, 4, 7)]
    assert len(names(f"{letters}/**/letter1*.txt")) == 3
    assert names(letters / "box0" / "letter0.txt") == ["letter0.txt"]
    with pytest.raises(InputError, match="no such file"):
        names(letters / "none")


def test_files_with_another_use_are_no_input(letters):
    (letters / "list.txt").write_text("x")
    assert "list.txt" in names(letters)
    assert "list.txt" not in names(letters, aside=[letters / "list.txt"])


@pytest.fixture
def memory(letters):
    system = fsspec.filesystem("memory")
    for path in letters.rglob("*.txt"):
        system.pipe_file(f"/letters/{path.relative_to(letters).as_posix()}", path.read_bytes())
    yield system
    system.store.clear()


def test_a_url_is_read_and_written(memory, letters, tmp_path, rules):
    assert names("memory://letters/box1/*.txt") == [f"letter{n}.txt" for n in (1, 10, 4, 7)]
    with pytest.raises(InputError, match="--manifest"):
        BatchRun("memory://letters", "memory://masked", rules).open(False)
    for source, target in (
        ("memory://letters", "memory://masked"),
        (str(letters), str(tmp_path / "out")),
    ):
        path = tmp_path / f"{target[:6].strip('/:')}.sqlite"
        batch = BatchRun(source, target, rules, manifest=path)
        worker = Worker(batch.job)
        with batch.open(False) as manifest:
            run_batch(manifest, _Map(worker))
    found = {name: memory.cat_file(f"/masked/{name}") for name in list_outputs(tmp_path / "out")}
    assert found == list_outputs(tmp_path / "out")
    with batch.open(True) as manifest:
        assert list(manifest.list_pending()) == []


class _Map:
    def __init__(self, worker):
        self.worker = worker

    def run(self, tasks):
        return map(self.worker.run, tasks)


def test_a_throttled_store_is_tried_again(memory, monkeypatch):
    monkeypatch.setattr(store, "PAUSE", 0)
    place = StorePlace("memory://masked")
    real, calls = memory.pipe_file, []

    def throttle(path, data):
        calls.append(path)
        if len(calls) < 3:
            raise OSError("slow down, Ana Souza")
        real(path, data)

    monkeypatch.setattr(type(place._system), "pipe_file", staticmethod(throttle))
    place.write("a.txt", b"x")
    assert len(calls) == 3
    monkeypatch.setattr(store, "TRIES", 2)
    calls.clear()
    with pytest.raises(OutputError, match=r"a.txt: cannot be written \(OSError, tried 2 times\)$"):
        place.write("a.txt", b"x")


def test_a_file_over_the_limit_is_refused(memory):
    with pytest.raises(InputError, match="over the limit"):
        StorePlace("memory://letters").read("box0/letter0.txt", io.Limits(file=10))
    with pytest.raises(InputError, match="cannot be read"):
        StorePlace("memory://letters").read("none.txt", io.Limits())
