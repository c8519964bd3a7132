"""Words that are never a name, or not always: because of a Ms May, not every "May" of a text is masked."""

from __future__ import annotations

from maskwise.text import english

MONTHS = frozenset(map(str.lower, english.MONTHS))

# Surnames and given names that are also English words. With a capital they usually name someone.
_CALLED = """
summer winter autumn dawn eve will grace mark rich rob bob pat sue sandy drew drake wade guy gene jean dale glen max
cook baker smith mason miller carpenter taylor fisher hunter gardener potter butcher farmer shepherd page
young old long short small little large big strong wise good best better brown black white green grey gray gold silver
rose lily violet daisy iris ivy olive heather hazel fern basil ginger pepper rice bean berry cherry apple
hope faith charity joy bliss love loving victor victoria patience prudence constance verity mercy honor honour
chase hunt shot shoot dove wolf fox lamb bull bird finch swan crane penny miles frank earnest ernest jack john doe jay
ray rod stew stu cliff christian pascal scott read reader rush ward wards ware snow frost moody waterman sharp bright
swift
""".split()

# Titles, places and things. After an article or before another name they name nobody ("the King", "Hill Street").
THINGS = frozenset(
    """
bill art bush king queen prince duke earl baron bishop pope priest abbot dean judge justice sheriff marshal day noon
hill hills wood woods field fields brook brooks lake river rivers stone stones rock forest bay beach bridge ford park
parks church temple castle hall gate gates street lane chance cross crown cash price bond bonds stock mile foot hand
hands head heart power powers peace war wars battle star stars storm rain flood moon sun sky ocean waters weeks week
""".split()
)

# Never a name on their own.
_NO_NAMES = """
north south east west england ireland france english french german irish welsh scots holland israel jordan chad georgia
kenya china india paris london major general captain sergeant man men woman child son sons daughter minor junior senior
month year would
""".split()

# Words for roles, bodies and papers. A text may define "the Company", but outside it the words name nobody.
GENERIC = (
    frozenset(
        """
a an the and or of for in on at to by first second third fourth applicant applicants company companies government state
states court courts tribunal authority authorities ministry minister ministers bank banks fund office agency board
commission committee council department directorate bureau service services union association foundation institute
institution university school hospital clinic prison police prosecutor prosecutors prosecution party parties plaintiff
plaintiffs defendant defendants claimant claimants respondent respondents appellant appellants petitioner complainant
complainants accused suspect victim witness witnesses mother father parents child children son daughter brother sister
wife husband family couple deceased act acts code law laws regulation regulations rule rules convention protocol treaty
constitution agreement contract contracts order decree decision decisions judgment judgments ruling report reports
application applications complaint complaints case cases letter letters notice statement list table annex appendix
section article chapter paragraph part property properties land house flat building premises site project programme
plan system scheme society group organisation organization corporation firm employer employee employees
bureau chamber assembly parliament senate president republic federation kingdom country city town region regional
district county local national federal central supreme high general public municipal municipality administrative
insurer insured buyer seller lender borrower tenant landlord owner trustee trust estate newspaper magazine website
journal journalist editor publisher author book film programme seller vendor purchaser lessee lessor licensee licensor
client customer patient doctor claim claims fact facts event events date period sum amount loan shares
mr mrs ms miss dr mr. see ibid idem
""".split()
    )
    | MONTHS
    | frozenset(map(str.lower, english.WEEKDAYS))
)

# Words that may stand before a name and are no part of it, so that "Senator Souza" is no relative of a Ms Souza.
ROLES = (
    GENERIC
    | english.HONORIFICS
    | frozenset(
        """
senator inspector officer detective constable mayor ambassador nurse teacher uncle aunt cousin grandmother grandfather
counsel attorney lawyer solicitor barrister chancellor secretary governor deputy councillor congressman congresswoman
notary engineer private corporal commander admiral director manager chairman chairwoman comrade citizen mister madam
then when but dear hello hi king queen prince princess bishop
""".split()
    )
)
PLACED = frozenset(
    _NO_NAMES
)  # of these, a person who is named in full may be called so: "German Soto"
NEVER = (english.FUNCTION_WORDS | PLACED | GENERIC) - MONTHS
NAMED_WORDS = MONTHS | THINGS | frozenset(_CALLED)  # somebody may be called so
COMMON = NEVER | NAMED_WORDS

# Legal forms of companies: part of the full name, absent from the short one.
LEGAL_FORMS = frozenset(
    """
ltd limited plc llc llp lp inc incorporated corp corporation co company gmbh mbh ag kg ohg ug se sa sas sarl srl spa
sl slu as asa ab aps oy oyj nv bv bvba cv kft rt zrt nyrt bt doo dd ad ead eood ood ooo oao zao pao jsc ojsc cjsc pjsc
llp pty pte bhd sdn kk tov too sp zoo sro spol eg ev ltda eireli
""".split()
)
