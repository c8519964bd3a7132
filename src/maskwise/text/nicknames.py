"""Short forms of given names, by which friends call people: "Liz" for Elizabeth."""

from __future__ import annotations

_SHORT = """
robert: bob rob bobby robbie; william: bill will billy liam; richard: dick rick; james: jim jimmy; john: jack
johnny; michael: mike mick; thomas: tom tommy; edward: ed eddie ted; anthony: tony; joseph: joe; samuel: sam;
daniel: dan danny; charles: charlie; andrew: andy; david: dave; elizabeth: liz beth betty lizzie; margaret:
maggie peggy meg; katherine: kate kathy katie; susan: sue; catherine: cathy; rebecca: becky; jennifer: jenny
jen; patricia: pat patty; christine: chris; christopher: chris; nicholas: nick; stephen: steve; steven: steve;
matthew: matt; peter: pete; alexander: alex sasha; deborah: debbie; barbara: barb; dorothy: dot; kenneth: ken;
ronald: ron; russell: russ; gregory: greg; jeffrey: jeff; geoffrey: geoff; timothy: tim; philip: phil; donald:
don; douglas: doug; raymond: ray; leonard: len lenny; frederick: fred freddie; benjamin: ben; jonathan: jon;
nathaniel: nate; vincent: vince; victoria: vicky; jacqueline: jackie; abigail: abby; samantha: sam; theodore:
ted theo; harold: harry; henry: harry hank; lawrence: larry; gerald: gerry jerry; terence: terry; albert: bert;
joshua: josh; zachary: zach; amanda: mandy; pamela: pam; sandra: sandy; judith: judy; frances: fran; isabella: bella
"""
_PAIRS = [
    (formal.strip(), short)
    for formal, _, shorts in (entry.partition(":") for entry in _SHORT.split(";"))
    for short in shorts.split()
]


def list_kindred(name: str) -> tuple[str, ...]:
    """The formal names of a short one, folded, and the short ones of a formal one.

    >>> list_kindred("chris"), list_kindred("susan")
    (('christine', 'christopher'), ('sue',))
    """
    formal = [long for long, short in _PAIRS if short == name]
    return (*formal, *(short for long, short in _PAIRS if long == name))
