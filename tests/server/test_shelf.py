"""Policies of a server: named, never by path; read again when their file changes; kept when the new one is wrong."""

import os

import pytest

from maskwise.errors import PolicyError
from maskwise.server.engine import count_cpus
from maskwise.server.service import Service
from maskwise.server.settings import ServerSettings
from maskwise.server.shelf import BUILT, PolicyShelf


def write(path, text, at):
    path.write_text(text)
    os.utime(path, ns=(at, at))


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "mine.yaml"
    write(found, "name: mine\nextends: balanced\n", 1)
    return found


def test_a_changed_file_is_read_again(path):
    now = [0.0]
    shelf = PolicyShelf([str(path)], every=5, clock=lambda: now[0])
    first = shelf.find("mine")
    write(path, "name: mine\nextends: balanced\noperator: {kind: label}\n", 2)
    assert shelf.find("mine") is first
    now[0] = 6
    changed = shelf.find("mine")
    assert changed.sanitize("Mr Lee left.").text == "[PERSON] left."


def test_a_wrong_file_leaves_the_old_policy_in_force(path):
    shelf = PolicyShelf([str(path)])
    first = shelf.find("mine")
    write(path, "name: mine\nextnds: balanced\n", 2)
    assert shelf.reload() == 0
    assert shelf.find("mine") is first
    assert "did you mean 'extends'" in shelf.list_policies()[0].problem
    write(path, "name: mine\nextends: strict\n", 3)
    assert shelf.reload() == 1
    assert shelf.list_policies()[0].problem == ""


def test_only_policies_of_the_shelf_are_found(path):
    shelf = PolicyShelf(["balanced"])
    with pytest.raises(PolicyError, match="this server has: balanced"):
        shelf.find(str(path))


def test_a_policy_that_joins_clients_is_refused(path):
    write(path, "name: mine\nextends: balanced\nscope: corpus\n", 2)
    with pytest.raises(PolicyError, match="all clients"):
        PolicyShelf([str(path)])


def test_two_policies_of_one_name_are_refused(path, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("name: mine\nextends: strict\n")
    with pytest.raises(PolicyError, match="rename one"):
        PolicyShelf([str(path), str(other)])


def test_variants_are_built_once_and_not_without_end():
    shelf = PolicyShelf(["balanced"])
    assert shelf.find(k=5) is shelf.find(k=5)
    assert shelf.find(k=5).policy.crowd.k == 5
    for k in range(1, BUILT + 5):
        shelf.find(k=k)
    assert len(shelf._built) == BUILT


@pytest.mark.parametrize(
    ("files", "expected"),
    [({}, None), ({"cpu.max": "max 100000"}, None), ({"cpu.max": "100000 100000"}, 1),
     ({"cpu.max": "50000 100000"}, 1), ({"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1),
     ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None)],
)  # fmt: skip
def test_cores_are_those_of_the_container(tmp_path, files, expected):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert count_cpus(tmp_path, tmp_path / "none") == (expected or len(os.sched_getaffinity(0)))


@pytest.mark.parametrize(
    ("own", "folder"),
    [
        ("0::/system.slice/masks.service\n", "system.slice/masks.service"),
        ("0::/system.slice/masks.service\n", "system.slice"),
        ("3:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n", "cpu,cpuacct/docker/abc"),
    ],
)
def test_cores_are_those_of_the_group_of_a_service(tmp_path, own, folder):
    (tmp_path / "own").write_text(own)
    group = tmp_path / "cgroup" / folder
    group.mkdir(parents=True)
    if "cpuacct" in folder:
        (group / "cpu.cfs_quota_us").write_text("100000")
        (group / "cpu.cfs_period_us").write_text("100000")
    else:
        (group / "cpu.max").write_text("150000 100000")
    assert count_cpus(tmp_path / "cgroup", tmp_path / "own") == 1


def test_models_use_as_many_threads_as_the_server_has():
    assert PolicyShelf(["balanced"], 3).find().policy.threads == 3
    assert PolicyShelf(["balanced"], 3).find(k=5).policy.threads == 3
    service = Service.build(ServerSettings(threads=2, policies=("balanced",)))
    assert service.shelf.find().policy.threads == 2
    assert service.engine.threads == 2
    service.close()
