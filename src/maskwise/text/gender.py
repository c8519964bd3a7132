"""Words that tell a man from a woman in a text: words for relatives, and given names that only one of them bears.

They keep two people of one surname apart. A name that both bear in some country is in neither list.
"""

from __future__ import annotations

import re

from maskwise.text.folding import fold_words

_FEMALE = frozenset(
    """
agata agnes agneta agnieszka aicha aisha alexandra alice alicia alicja alina alison amanda amelia amelie amina amy ana
anastasia angela angelika angelina anita anja ann anna anne annette annika antonia astrid aurelia barbara beata beate
beatrice beatriz berit berta bertha betty birgit birgitta bozena bridget brigitte brita carla carmela carolina
caroline catarina catherine cecilia celia charlotte chiara chloe christa christina christine claire clara claudia
cristina cynthia dagmar danuta daria deborah denise diana dolores dominika doris dorota dorothy ebba edith edna
ekaterina elaine eleanor elena eleni elin elisa elisabeth elise elizabeth elke ella ellen elsa elzbieta emily emma
erika esther eugenia eva ewa fatima fatma fiona florence francesca frida gabriela galina gertrud giulia gloria greta
gudrun gunilla hanna hannah hanne hannelore harriet heidi helen helena helga henrietta hilda hilde ida ilse ines inga
ingeborg inger ingrid irena irene irina isabel isabella ivana jacqueline jadwiga jane janet janina jasmine jennifer
jessica joanna johanna josefina judith julia juliana juliet julie justyna karin karla karolina katarina kate
katharina katherine kathleen katja katrin katya khadija kirsten kirsti kristina krystyna larisa laura lena leyla lidia
liisa lina linda lisa liv lotta louise lucia lucy ludmila luisa lydia magda magdalena malgorzata margaret margareta
margarita margit maria mariam marianne marie marina marit marta martha mary mathilda matilda maya megan melanie mercedes
mette michelle milena miriam monica monika nadia nadezhda nancy natalia natasha nathalie nina nora olga olivia oxana
patricia paula pauline petra phoebe rachel ragnhild raquel rebecca regina renata rita rosa rosemary ruth sabine sandra
sara sarah sheila sigrid silvia sofia solveig sonia sophia sophie stella stephanie susan susanna suzanne sylvia
svetlana tamara tatiana teresa theresa tove ulla ulrike urszula ursula valentina valeria vanessa vera verena veronica
victoria viktoria virginia wanda wendy xiomara yvonne zofia zuzana ayse emine hatice zeynep elif aylin
""".split()
)
_MALE = frozenset(
    """
aaron abdullah abraham adam adolf adrian ahmad ahmed ahmet aksel albert alberto aleksandr alexander alexei alfred
alfredo allan amir anatoly anders andreas andrei andrew andrey andrzej angus anthony antoine anton antonio arne arnold
arthur artur arvid august axel bartosz bernard bernd bernhard bjarne bjorn bogdan boris brian bruno carl carlos carsten
charles christoph christopher claus clive colin craig dag damian daniel dariusz dave david dennis derek desmond didier
diego dieter dimitri dirk dmitri dmitry domenico donald douglas duncan edgar edmund eduard eduardo edward edwin egil
einar eirik emil enrico enrique eric erik ernest ernst erwin espen eugen felix ferdinand fernando filip francesco
francisco frank franz fred frederick friedrich fritz gareth gary gavin geir geoffrey georg george gerald gerard gerhard
gert gianni giorgi giorgio giovanni giuseppe gordon graham grzegorz guillermo gunnar gunther gustav haakon hakon halvor
hans harald harold harry hassan hector heinrich helmut henrik henry herbert hermann holger horst howard hugh hugo ian
ibrahim igor ilya ivan ivar ivo jacek jack jacob jakob jakub james janusz jens jerzy jesper jesus joachim johann john
jonas jonathan jorge jose josef joseph juan julian julio jurgen karl keith kenneth kevin khalid kjell klaus knut
konrad krzysztof kurt lars laurence lennart leonard leonid leopold lewis lorenzo louis luca ludwig luis luke maciej
magnus malcolm manfred manuel marcel marcin marco marek mario marius mark markus martin mateusz mathias matthew
maurice mehmet michael michal miguel mikael mikhail miroslav mohamed mohammed morten mustafa nathan neil nicholas
niels nigel nikolai nils norbert odd olaf olav oleg ole oliver omar oscar oskar otto pablo patrick paul pavel pawel
pedro per peter petter philip philippe pierre piotr radek rafael ragnar raj ralf ralph ramon raymond reinhard richard
robert roberto rodney roger roland rolf roman ronald rune rupert ryszard samuel sebastian sergei sergey sergio sigurd
simon slawomir stanislav stanislaw stefan stephen steven stig stuart sven svein tadeusz terence terje theodor
thomas thor thorsten tim timothy tobias tomas tomasz tor tore torsten trevor trond ulf ulrich uwe vadim valentin
viktor vincent vladimir volodymyr vyacheslav walter werner wilhelm wilfried william witold wojciech wolfgang yuri yusuf
zbigniew zdzislaw zygmunt
""".split()
)
_KIN = {
    "m": "husband father brother son uncle nephew grandfather grandson stepfather stepson stepbrother brother-in-law "
    "father-in-law son-in-law ex-husband boyfriend dad widower",
    "f": "wife mother sister daughter aunt niece grandmother granddaughter stepmother stepdaughter stepsister "
    "sister-in-law mother-in-law daughter-in-law ex-wife girlfriend mum mom widow",
    "": "cousin spouse partner parent child twin in-law relative ex-spouse",
}
_GENDER = {word: gender for gender, kin in _KIN.items() for word in kin.split()}
_WHOSE = r"(?:my|his|her|their|our|your|the\s\w{1,20}['’]s?)"
_AGED = r"(?:(?:late|former|then|elder|eldest|older|younger|youngest|own|only|twin|ex|first|second|new)[\s-]){0,2}"
_KINSMAN = rf"{_WHOSE}\s{_AGED}(?P<kin>{'|'.join(sorted(_GENDER, key=len, reverse=True))})\b"
_AFTER = re.compile(
    rf"\s?(?:[,(–—]|\bis\b|\bwas\b)\s?(?:who\s(?:is|was)\s)?{_KINSMAN}", re.IGNORECASE
)
_BEFORE = re.compile(rf"\b{_KINSMAN},?\s\Z", re.IGNORECASE)


def guess_gender(name: str) -> str:
    """ "m" or "f" for a given name that only men or only women bear, else nothing.

    >>> guess_gender("Ingrid"), guess_gender("Søren"), guess_gender("Kim")
    ('f', '', '')
    """
    folded = fold_words(name)
    first = folded[0] if folded else ""
    if first in _FEMALE:
        return "f"
    return "m" if first in _MALE else ""


def is_relative(text: str, start: int, end: int) -> bool:
    """Whether the name on `[start, end)` is said to be someone's husband, mother, cousin: "Mr Hansen, my husband".

    >>> is_relative("Mr Hansen, my late husband, paid.", 0, 9), is_relative("Mr Hansen, my lawyer, paid.", 0, 9)
    (True, False)
    """
    if _AFTER.match(text, end):
        return True
    return _BEFORE.search(text, max(0, start - 60), start) is not None
