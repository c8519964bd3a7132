"""Notes of a batch: what was left out of a file, and names of files that tell what is masked in them."""

from maskwise.files import TOLD, sanitize_file
from maskwise.sanitizer import Sanitizer
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.summary import describe_run, has_missed, summarise_run

PAGE = b"<p>Mr Bruno Keller wrote.</p><img src='data:image/png;base64,iVBORw0KGgo='>"


def mask_folder(folder, target, rules):
    batch = BatchRun(str(folder), str(target), rules)
    with batch.open(False) as manifest:
        seconds = run_batch(manifest, make_engine("local", batch.job, 1))
        return summarise_run(manifest, seconds)


def test_names_that_tell_are_told_and_miss(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    (source / "Ana_Souza.txt").write_text("Mr Bruno Keller wrote to Mrs Ana Souza.", "utf-8")
    (source / "letter.txt").write_text("Mr Bruno Keller wrote to Mrs Ana Souza.", "utf-8")
    report = mask_folder(source, tmp_path / "out", rules)
    assert report["documents"]["failed"] == 0
    assert report["notes"] == {TOLD: {"files": 1, "names": ["Ana_Souza.txt"]}}
    assert f"{TOLD} (1 files): Ana_Souza.txt" in describe_run(report)
    assert has_missed(report)


def test_what_was_left_out_is_told(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    (source / "page.html").write_bytes(PAGE)
    report = mask_folder(source, tmp_path / "out", rules)
    expected = sanitize_file(Sanitizer(rules), PAGE, "page.html").notes
    assert expected
    assert list(report["notes"]) == list(expected)
    assert not has_missed(report)
