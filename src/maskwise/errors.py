"""Every error a user can meet, in one file.

Messages name files, offsets, types, keys and counts, never the text of a document: errors travel to logs.
"""

from __future__ import annotations


class MaskwiseError(Exception):
    """Base of all errors raised on purpose. The command line prints it as one line and exits with `exit_code`.

    >>> from maskwise import MaskwiseError, sanitize
    >>> try:
    ...     sanitize("Mr Lee left.", policy="blanced")
    ... except MaskwiseError as error:
    ...     print(str(error).split(";")[1].strip())
    did you mean 'balanced'?
    """

    exit_code = 2


class OffsetError(MaskwiseError, ValueError):
    """A span that is empty, outside its text, or whose text differs from what was claimed."""


class OverlapError(MaskwiseError, ValueError):
    """Two spans that must not share a character do."""


class InputError(MaskwiseError):
    """A file or stream that cannot be read: missing, wrong encoding, not text, too large."""


class CorpusError(InputError):
    """A corpus or standoff file that breaks its format. The message names the document and the mention."""


class PolicyError(MaskwiseError):
    """A policy that is unknown, malformed, or names something that does not exist."""


class PluginError(MaskwiseError):
    """A detector, operator or other part that a policy names is not installed or does not load."""


class DeviceError(MaskwiseError):
    """A device that models should read on is not there, or has failed."""


class BundleError(MaskwiseError):
    """A bundled data file is missing or its hash differs from the recorded one."""


class SearchError(MaskwiseError):
    """A search engine that a policy names does not answer. The message says which and why, never what was asked."""


class MaskingError(MaskwiseError):
    """A document could not be masked. Its output is this error, never its text."""


class ConfidentialError(MaskingError):
    """A document tells a special category of personal data that its policy refuses."""


class OutputError(MaskwiseError):
    """A result cannot be written where it was asked for."""


class OutputNameError(OutputError):
    """A result cannot have the name it was asked for, though others could be written beside it."""


class PlanError(MaskwiseError):
    """No plan can meet the policy. The message names the demands that contradict each other."""


class LeakError(MaskwiseError):
    """A written file still holds masked text, so it is withdrawn. The message says how often and where, never what."""


class VaultError(MaskwiseError):
    """A vault that cannot be opened: no such file, the wrong key, or damaged or forged contents."""


def describe_cause(error: BaseException) -> str:
    """Return what the system says of an error, such as "No such file or directory", or else the kind of the error.

    The message of an error is left out: it may quote the text.
    """
    return getattr(error, "strerror", None) or type(error).__name__
