"""Words that tell a man from a woman in a text: words for relatives, and given names that only one of them bears.

They keep two people of one surname apart. A name that both bear in some country is in neither list. A word for a
relative also tells whose name stands beside it: "her brother Jan", "Ola, my sister".
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
adele agathe aino aleksandra alina amalia amara annalena anneliese annelize annunziata antonietta araminta aoife
beatrix benedetta birthe bodil bronwyn carlotta chidinma clarice claudine clemence colette concepcion constance corinne
deirdre delphine despina desislava dolores dorothea eileen ekaterina eleonora elfriede elisabetta eloise emilia emine
erzsebet estelle eszter evangelia evelyn federica florentina friederike genevieve georgia gerda gillian ginevra
giovanna giuseppina gladys godelieve graziella greetje gudrun guadalupe gwendolyn halina hedwig heloise henriette
hermine hildegard imogen inmaculada ingegerd ioana irmgard isolde ivonne jelena josephine jolanta judit justyna
katalin katarzyna katerina kateryna kirstine krisztina lakshmi layla lieselotte ludmilla luise lyudmila madeleine
malgorzata margherita marguerite marijana marisol mariya mathilde maureen mechthild meredith mildred miroslava muriel
nadezda natalya niamh oksana ophelia ottilie pamela philippa philomena priscilla priya ragna rania rosalind rosalie
rosemarie roxana sakura saskia sigrun simona siobhan slavka soledad solange stanislawa sunniva svenja tatyana thandiwe
tiina tove trinidad ursel veronique violeta vivian waltraud weronika wilhelmina wilhelmine winifred yelena yolanda
yulia yvette zainab zdenka zsofia zuzanna victoria viktoria virginia wanda wendy
xiomara yvonne zofia zuzana ayse emine hatice zeynep elif aylin
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
abdirahman aleksander aleksandar alastair alessandro alejandro alfonso amadou ambrose andrzej antti apostolos archibald
armando arjun arkadiusz athanasios attila augustin barnaby bartholomew bartlomiej benedikt benjamin benoit bertrand
boguslaw boleslaw bronislaw calvin cedric chukwuemeka clement cornelius crispin cuthbert dawit declan desmond dietmar
dimitar dimitrios dominik dragan duncan eamon eberhard emanuele emilio ercan ernesto etienne eugene fabrizio ferenc
fergus filippo florian frantisek fyodor gabor gaetano gaspard gennaro georgios gerrit gheorghe giacomo gilbert giorgos
godfrey gonzalo gregorio gregory grigory guido guillaume gustavo hamza harvey hamish hendrik heriberto hermann hiroshi
horatio hristo hubert humphrey ignacio ignacy ioannis isaac ismail istvan jamal janos jaroslav jeffrey jeremiah jeremy
jerome jesse jiri johannes joseph josip julius jukka karel kazimierz kenji konstantin konstantinos krisztian ladislav
laszlo laurent lawrence leif leopoldo lorcan lubomir ludvik lukasz mahmoud marcelo matteo maximilian maxime maxim
mehmet mihai mihaly miklos milan mitchell mogens moses nathaniel nicolae nigel nikolaos nikos norman octavio oleksandr
omar orlando osvaldo padraig panagiotis paolo patricio percival phillip piet pieter radoslav raffaele rainer rajesh
ramesh randolph raphael raul reginald renaud reza rodrigo romain ronan rudolf ruggero salvatore salvador sandor
santiago seamus sean sebastien seymour silvio solomon spyros stanley stavros stefano stelios stephane stewart sylvain
takeshi tamas theodore thibault timothee tomislav torbjorn tyrone umberto vaclav valerio vasile vasily vicente vikram
vilmos virgil vittorio volker waclaw walther wayne wesley wilbur willem winston wladyslaw wolfram xavier yannick yannis
yevgeny youssef yves zdenek zoltan zoran
""".split()
)
_KIN = {
    "m": "husband father brother son uncle nephew grandfather grandson stepfather stepson stepbrother brother-in-law "
    "father-in-law son-in-law ex-husband boyfriend dad widower",
    "f": "wife mother sister daughter aunt niece grandmother granddaughter stepmother stepdaughter stepsister "
    "sister-in-law mother-in-law daughter-in-law ex-wife girlfriend mum mom widow",
    "": "cousin spouse partner parent child twin in-law relative ex-spouse",
}
# Words that tell a gender beside those for relatives, and words for several.
_CALLED = {
    "m": "grandpa granddad grandad daddy papa pa groom bridegroom fiancé godfather godson boy lad man gentleman monk "
    "actor waiter policeman chairman fisherman pan herr monsieur signor señor don priest father sons brothers uncles "
    "nephews grandsons half-brother foster-father foster-son stepdad boys",
    "f": "grandma granny gran nan mummy mama mamma ma auntie aunty bride fiancée godmother goddaughter girl lass woman "
    "lady nun actress waitress policewoman chairwoman widow midwife pani frau madame signora señora doña daughters "
    "sisters aunts nieces granddaughters half-sister foster-mother foster-daughter stepmum stepmom girls mistress",
}
_GENDER = {word: gender for gender, kin in _KIN.items() for word in kin.split()}
_WHOSE = r"(?:my|his|her|their|our|your|the\s\w{1,20}['’]s?)"
_AGED = r"(?:(?:late|former|then|elder|eldest|older|younger|youngest|own|only|twin|ex|first|second|new)[\s-]){0,2}"
_KINSMAN = rf"{_WHOSE}\s{_AGED}(?P<kin>{'|'.join(sorted(_GENDER, key=len, reverse=True))})\b"
_AFTER = re.compile(
    rf"\s?(?:[,(–—]|\bis\b|\bwas\b)\s?(?:who\s(?:is|was)\s)?{_KINSMAN}", re.IGNORECASE
)
_BEFORE = re.compile(rf"\b{_KINSMAN},?\s\Z", re.IGNORECASE)

_TELLING = {
    word: gender
    for table in (_KIN, _CALLED)
    for gender, words in table.items()
    for word in words.split()
    if gender
}
_ANY_KIN = "|".join(sorted(_TELLING, key=len, reverse=True))
_NAMED = r"[^\W\d_a-z][\w'’.-]*"
_SEVERAL = (
    rf"(?:{_NAMED}(?:\s{_NAMED}){{0,2}}(?:\s?[(,]\s?\d{{1,2}}\)?)?(?:,\s(?:and\s)?|\sand\s)){{0,4}}"
)
_CALLED_BEFORE = re.compile(
    rf"(?P<pair>\band\s)?\b(?P<kin>{_ANY_KIN})(?P<gap>\s(?:is|was|named|called)\s|[,:]?\s|,\s(?:the|a)\s)"
    r"(?:(?:Dr|Prof|Professor)\.?\s)?\Z",
    re.IGNORECASE,
)
_LISTED_BEFORE = re.compile(
    rf"\b(?P<kin>(?:grand)?(?:sons|daughters)|brothers|sisters|(?:aunt|uncle|niece|nephew)s|girls|boys)[,:]?\s{_SEVERAL}\Z"
)
_OF_SOMEBODY = rf"(?:(?i:my|his|her|their|our|your|the|a)\s|(?:[Tt]he\s)?(?:{_NAMED}\s){{0,3}}{_NAMED}['’]s?\s)"
_CALLED_AFTER = re.compile(
    rf"\s?(?:[,(–—]|is\b|was\b)\s?(?:who\s(?:is|was)\s)?(?:{_OF_SOMEBODY}(?i:{_AGED}))?"
    rf"(?P<kin>(?i:{_ANY_KIN}))\b(?=\s?(?:[,.;:)–—\n]|\Z|of\b|and\b|who\b|to\b|in\b|from\b))"
)


def read_kin(text: str, start: int, end: int) -> str:
    """ "m" or "f" where a word for a relative, or another that only one of them is called, stands beside a name.

    >>> text = "Mr Moe's daughter Ola came; Kim, his wife, paid. Our sons Jan and Ari left."
    >>> [read_kin(text, at, at + 3) for at in (text.index(n) for n in ("Ola", "Kim", "Jan", "Ari"))]
    ['f', 'f', 'm', 'm']
    >>> read_kin("Kim and her husband left.", 0, 3)
    ''
    """
    before = text[max(0, start - 80) : start]
    if found := _CALLED_BEFORE.search(before):
        is_pair = found["pair"] and "," in found["gap"]  # "her mother and father, Ola and Jan"
        return "" if is_pair else _TELLING[found["kin"].lower()]
    if found := _LISTED_BEFORE.search(before):
        return _TELLING[found["kin"].lower()]
    after = _CALLED_AFTER.match(text, end)
    return _TELLING[after["kin"].lower()] if after else ""


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
