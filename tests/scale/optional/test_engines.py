"""Ray and Spark write the bytes of the local engine, whatever their workers, and after one of these dies."""

import contextlib
import os
import signal
import sys
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_letters import NAMES, RULES, list_outputs, write_letter

from maskwise.errors import DeviceError
from maskwise.policy import Policy
from maskwise.scale import arrow
from maskwise.scale import ray as ray_engine
from maskwise.scale import spark as spark_engine
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.gpu import TORCH_CPU
from maskwise.scale.tasks import MaskingJob, Task
from maskwise.scale.worker import Worker, mask_text

COUNT = 24
ROWS = [{"key": n, "body": write_letter(n), "secret": "Ana Souza"} for n in range(COUNT)]
POLICY = Policy.parse(RULES)


@pytest.fixture(scope="session")
def letters(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    for number in range(COUNT):
        (folder / f"{number}.txt").write_text(write_letter(number) * (1 + number % 5))
    (folder / "poison.docx").write_bytes(b"Ana Souza")
    return folder


@pytest.fixture(scope="session")
def expected(letters, tmp_path_factory):
    return run(letters, tmp_path_factory.mktemp("local"), "local", 2)


@pytest.fixture(scope="session")
def masked():
    worker = Worker(arrow.make_row_job(POLICY, "body", (), None, ()))
    return {row["key"]: mask_text(worker.sanitizer, row["body"]).data.decode() for row in ROWS}


@pytest.fixture(scope="session", autouse=True)
def ray_cluster():
    """A cluster with room for four actors, whatever the machine has."""
    import ray

    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "5").getOrCreate()
    yield session
    session.stop()


def run(letters, out, engine, workers):
    batch = BatchRun(str(letters), str(out), POLICY)
    with batch.open(True) as manifest:
        run_batch(manifest, make_engine(engine, batch.job, workers))
        assert [error["name"] for error in manifest.list_errors()] == ["poison.docx"]
        assert manifest.count()["done"][0] == COUNT
    return list_outputs(out)


@pytest.mark.parametrize("actors", [1, 2, 4])
def test_ray_masks_the_same_rows(masked, actors):
    import ray

    from maskwise.scale.ray import sanitize

    dataset = ray.data.from_items(ROWS)
    found = sanitize(dataset, "body", ("key",), policy=POLICY, workers=actors).take_all()
    assert {row["key"]: row["body"] for row in found} == masked
    assert set(found[0]) == {"key", "body", "error"}


@pytest.mark.parametrize("actors", [1, 2, 4, 6])  # there is no room for six: four work
def test_a_batch_on_ray_writes_the_same_bytes(letters, expected, tmp_path, actors):
    assert run(letters, tmp_path / "out", "ray", actors) == expected


def test_actors_of_a_batch_read_on_their_device(letters, tmp_path):
    """As the workers of the local engine do, up to what else is in a batch."""
    found = {}
    for engine in ("local", "ray"):
        policy = Policy.load("balanced")
        batch = BatchRun(str(letters), str(tmp_path / engine), policy, device=TORCH_CPU)
        with batch.open(False) as manifest:
            run_batch(manifest, make_engine(engine, batch.job, 2))
            assert manifest.count()["done"][0] == COUNT
        found[engine] = list_outputs(tmp_path / engine)
    assert found["ray"].keys() == found["local"].keys()
    for name, data in found["ray"].items():
        expected = found["local"][name].decode()
        assert SequenceMatcher(None, data.decode(), expected).ratio() > 0.9


def test_actors_of_rows_read_on_their_device():
    import ray

    from maskwise.scale.ray import sanitize

    dataset = ray.data.from_items(ROWS)
    found = sanitize(dataset, "body", ("key",), device=TORCH_CPU, workers=2).take_all()
    assert len(found) == COUNT
    assert not any(row["error"] for row in found)
    for row in found:
        assert "example.org" not in row["body"]
        assert not any(part in row["body"] for name in NAMES for part in name.split())


def test_a_gpu_that_the_cluster_lacks_is_told_before_anything_is_written(letters, tmp_path):
    batch = BatchRun(str(letters), str(tmp_path / "out"), POLICY, device="cuda")
    with pytest.raises(DeviceError, match="this cluster of Ray has no GPU"):
        make_engine("ray", batch.job, 2)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("gpus", "workers", "share"), [(1, 4, 1 / 4), (2, 3, 1 / 2), (4, 3, 1), (1, 1, 1)]
)
def test_all_workers_find_a_share_of_a_gpu(letters, tmp_path, monkeypatch, gpus, workers, share):
    monkeypatch.setattr(ray_engine.RayEngine, "_count_gpus", lambda self: gpus)
    batch = BatchRun(str(letters), str(tmp_path / "out"), POLICY, device="cuda")
    assert make_engine("ray", batch.job, workers)._share_gpus() == share
    assert make_engine("ray", replace(batch, device="cpu").job, workers)._share_gpus() == 0


def test_a_ray_actor_that_is_killed_costs_nothing(letters, expected, tmp_path):
    batch = BatchRun(str(letters), str(tmp_path / "out"), POLICY)
    with batch.open(True) as manifest:
        engine = make_engine("ray", batch.job, 2)
        killed = []

        def kill_once(outcome, task):
            if not killed:
                killed.extend(list_actors()[:1])
                os.kill(killed[0], signal.SIGKILL)

        run_batch(manifest, engine, kill_once)
        assert manifest.count()["done"][0] == COUNT
    assert killed
    assert list_outputs(tmp_path / "out") == expected


def make_deadly(base):
    """A worker that dies of one document, each time it gets it. It travels by value, being local."""

    class Deadly(base):
        def run(self, task):
            name = task.name if isinstance(task, Task) else task["name"]
            if name == "7.txt":
                os.kill(os.getpid(), signal.SIGKILL)
            return super().run(task)

    return Deadly


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_a_document_that_kills_its_worker_costs_no_other(
    letters, expected, tmp_path, monkeypatch, request, engine
):
    if engine == "ray":
        monkeypatch.setattr(ray_engine, "TaskActor", make_deadly(ray_engine.TaskActor))
    else:
        request.getfixturevalue("spark")
        deadly = make_deadly(Worker)
        monkeypatch.setattr(
            spark_engine, "get_task_worker", lambda job: deadly(MaskingJob.from_json(job))
        )
    batch = BatchRun(str(letters), str(tmp_path / "out"), POLICY)
    with batch.open(True) as manifest:
        run_batch(manifest, make_engine(engine, batch.job, 2))
        reasons = {error["name"]: error["reason"] for error in manifest.list_errors()}
    assert set(reasons) == {"7.txt", "poison.docx"}
    assert "the process that masked it died" in reasons["7.txt"]
    assert list_outputs(tmp_path / "out") == {
        name: data for name, data in expected.items() if name != "7.txt"
    }
    monkeypatch.undo()
    assert run(letters, tmp_path / "out", engine, 2) == expected


def test_a_ray_actor_of_rows_that_is_killed_costs_nothing(masked, tmp_path):
    """Ray Data starts an actor again that dies, and its rows are masked again."""
    import ray

    from maskwise.scale.ray import sanitize

    mark = str(tmp_path / "killed")

    def die_once(batch):
        killed = []
        if not os.path.exists(mark):
            Path(mark).touch()
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    if b"ray::" in (said := path.read_bytes()) and b"BatchActor" in said:
                        os.kill(int(path.parent.name), signal.SIGKILL)
                        killed.append(path)
            assert killed
        return batch

    dataset = ray.data.from_items(ROWS * 20)
    found = sanitize(dataset, "body", ("key",), policy=POLICY, workers=2)
    rows = found.map_batches(die_once, batch_size=10, batch_format="pyarrow").take_all()
    assert os.path.exists(mark)
    assert len(rows) == 20 * COUNT
    assert {row["key"]: row["body"] for row in rows} == masked


def list_actors():
    """The processes of the actors of this machine."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if b"ray::TaskActor" in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def test_a_batch_on_spark_writes_the_same_bytes(letters, expected, tmp_path, spark):
    assert run(letters, tmp_path / "out", "spark", 2) == expected


def test_spark_masks_the_same_rows(masked, spark):
    from maskwise.scale.spark import sanitize

    frame = spark.createDataFrame(ROWS).repartition(3)
    found = sanitize(frame, "body", ("key",), policy=POLICY).collect()
    assert {row["key"]: row["body"] for row in found} == masked
    assert set(found[0].asDict()) == {"key", "body", "error"}


def test_spark_masks_a_stream(masked, spark, tmp_path):
    from maskwise.scale.spark import sanitize

    frame = spark.createDataFrame(ROWS)
    frame.write.json(str(tmp_path / "in"))
    stream = spark.readStream.schema(frame.schema).json(str(tmp_path / "in"))
    query = (
        sanitize(stream, "body", ("key",), policy=POLICY)
        .writeStream.format("parquet")
        .option("checkpointLocation", str(tmp_path / "state"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    assert query.awaitTermination(120)
    found = spark.read.parquet(str(tmp_path / "out")).collect()
    assert {row["key"]: row["body"] for row in found} == masked


def test_a_spark_worker_that_is_killed_costs_nothing(masked, spark, tmp_path):
    """A Python worker that dies fails its task, and Spark runs it again."""
    mark = str(tmp_path / "killed")
    told = arrow.make_row_job(POLICY, "body", ("key",), None, ()).to_json()

    def mask_or_die(batches):
        for batch in batches:
            if not os.path.exists(mark):
                Path(mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield arrow.mask_batch(told, batch)

    frame = spark.createDataFrame(ROWS).select("key", "body").repartition(3)
    schema = "key long, body string, error string"
    found = frame.mapInArrow(mask_or_die, schema).collect()
    assert os.path.exists(mark)
    assert {row["key"]: row["body"] for row in found} == masked
