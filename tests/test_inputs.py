"""Small files of the user's: what hides in YAML is refused, and nothing large is read."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import InputError, PolicyError
from maskwise.inputs import LIMIT, decode_yaml, read_small
from maskwise.policy import Policy

DUPLICATES = [
    ("name: a\nname: b\n", "'name'", "1 and 2"),
    ("name: a\ndecide:\n  default: 0\n  kind: thresholds\n  default: 2\n", "'default'", "3 and 5"),
    ("name: a\ndecide: {default: 0, default: 2}\n", "'default'", "2 and 2"),
    ("detectors:\n  - kind: patterns\n    kind: gazetteer\n", "'kind'", "2 and 3"),
    ('"name": a\nname: b\n', "'name'", "1 and 2"),
    ('{"name": "a",\n "name": "b"}', "'name'", "1 and 2"),
    (
        "operators:\n  CODE: {kind: label}\n  PERSON: {kind: label}\n  CODE: {kind: suppress}\n",
        "'CODE'",
        "2 and 4",
    ),
]


@pytest.mark.parametrize(("text", "key", "lines"), DUPLICATES)
def test_a_key_that_stands_twice_is_an_error(tmp_path, text, key, lines):
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(PolicyError) as caught:
        Policy.load(path)
    assert (
        str(caught.value)
        == f"mine.yaml: key {key} stands twice, at lines {lines}; keep one of them"
    )


KEYS = st.text("abcdef", min_size=1, max_size=3)


@given(
    st.recursive(
        st.integers(0, 9),
        lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=3),
        max_leaves=9,
    )
)
def test_every_key_is_read_or_refused(value):
    """The text of a mapping is read as it is; with any one of its keys repeated it is refused."""
    lines = list(write(value if isinstance(value, dict) else {"a": value}))
    assert decode_yaml("\n".join(lines).encode(), "x") == (
        value if isinstance(value, dict) else {"a": value}
    )
    for at, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        repeated = [
            *lines[: at + 1],
            *block(lines, at),
            f"{' ' * indent}{line.split(':')[0].strip()}: 0",
        ]
        rest = lines[at + 1 + len(block(lines, at)) :]
        with pytest.raises(InputError, match="stands twice"):
            decode_yaml("\n".join([*repeated, *rest]).encode(), "x")


def write(value, indent=0):
    for key, inner in value.items():
        yield f"{' ' * indent}'{key}':" + ("" if isinstance(inner, dict) else f" {inner}")
        if isinstance(inner, dict):
            yield from write(inner, indent + 1)


def block(lines, at):
    """The lines below a key."""
    deep = len(lines[at]) - len(lines[at].lstrip())
    found = []
    for line in lines[at + 1 :]:
        if len(line) - len(line.lstrip()) <= deep:
            break
        found.append(line)
    return found


LAUGHS = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
REFUSED = [
    (LAUGHS, "line 2 has an alias (*), which is not read; write its value out"),
    (
        "name: &n x\ndescription: *n\n",
        "line 2 has an alias (*), which is not read; write its value out",
    ),
    (
        "a: &a {kind: label}\noperator:\n  <<: *a\n",
        "line 3 has an alias (*), which is not read; write its value out",
    ),
    ("a: &a [*a]\n", "line 1 has an alias (*), which is not read; write its value out"),
    (
        "a: " + "1:" * 5000 + "1",
        "line 1 has a number of more than 64 digits; write texts in quotes",
    ),
    ("a: " + "9" * 5000, "line 1 has a number of more than 64 digits; write texts in quotes"),
    ("a: 2024-13-45", "a number or date in it does not exist; write texts in quotes"),
    ("[" * 20_000, "YAML nested too deeply"),
    ("a: !!python/object:os.system x", "not YAML at line 1"),
    ("? [a, b]\n: c", "not YAML at line 1"),
    ("a: \x01", "not YAML"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=range(len(REFUSED)))
def test_yaml_that_hides_something_is_refused_in_one_line(text, message):
    with pytest.raises(InputError) as caught:
        decode_yaml(text.encode(), "x.yaml")
    assert str(caught.value) == f"x.yaml: {message}"


def test_what_is_no_small_file_is_not_read(tmp_path):
    with (tmp_path / "sparse.yaml").open("wb") as stream:
        stream.truncate(6 << 30)
    (tmp_path / "exact.yaml").write_bytes(b"#" * LIMIT)
    (tmp_path / "over.yaml").write_bytes(b"#" * (LIMIT + 1))
    os.mkfifo(tmp_path / "pipe.yaml")
    assert len(read_small(tmp_path / "exact.yaml")) == LIMIT
    for path, message in [
        (tmp_path / "sparse.yaml", "sparse.yaml: has 6,442,450,944 bytes"),
        (tmp_path / "over.yaml", "over.yaml: has 1,048,577 bytes; at most 1,048,576 are read"),
        (tmp_path / "pipe.yaml", "pipe.yaml: cannot be read"),
        (tmp_path, f"{tmp_path.name}: cannot be read"),
        ("/dev/zero", "zero: cannot be read"),
    ]:
        with pytest.raises(PolicyError, match=message):
            Policy.load(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "nowhere/at/all.yaml"])
def test_names_that_no_file_can_have(name):
    with pytest.raises(PolicyError, match="no policy"):
        Policy.load(name)
