"""An action for NeMo Guardrails that masks a text: `rails.register_action(make_action(), "mask_text")`.

It needs no library. In a flow: `$user_message = execute mask_text(text=$user_message)`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer


def make_action(policy: Policy | str = "balanced") -> Callable[..., Awaitable[str]]:
    """Build the action of a policy. A text that cannot be masked raises an error, so that the rail stops.

    >>> asyncio.run(make_action()(text="Mr Lee left."))
    '[PERSON 1] left.'
    """
    sanitizer = Sanitizer(policy)

    async def mask_text(text: str = "", **_: object) -> str:
        result = await asyncio.to_thread(sanitizer.sanitize, text)
        return result.text

    return mask_text
