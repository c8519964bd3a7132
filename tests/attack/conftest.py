"""Invented people, each with a life that no other shares."""

import pytest

LIVES = {
    "Ada Brandvold": "Ada Brandvold grew up in Larkby, where her father repaired church organs. She trained as a "
    "glassblower and later ran the lighthouse museum of Osthaven. In 1984 she won the Copper Heron prize. Her studies "
    "of tidal clocks were printed in Pellmere. She kept bees and wrote a play about a drowned bell.",
    "Tomas Quillfeather": "Tomas Quillfeather was born in a caravan near Hexwick. He drove a tram, then sang baritone "
    "in the opera of Morrow. In 1991 he recorded the harvest songs of the Vann valley. His marriage to a botanist "
    "ended in Dunmere. He collected barometers and taught fencing to blind children.",
    "Mira Solanki": "Mira Solanki studied volcanic ash at the college of Tarn. She crossed the Kessel glacier on skis "
    "and founded a school for surveyors. In 1977 she mapped the caves under Brightholm. Her memoir of the crossing won "
    "a medal. She played chess by post with a prison chaplain.",
    "Oskar Fennimore": "Oskar Fennimore baked rye bread in Westerloo and was elected mayor there in 2003. He opened "
    "the first public sauna of the county. A strike of ferrymen made him resign. He then bred Arabian horses and "
    "translated sea shanties into Latin. His twin brother kept the bakery.",
}


@pytest.fixture(scope="session")
def lives():
    return LIVES
