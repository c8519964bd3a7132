"""Words too common to be searched for as names: a Ms May must not cost the text every "May"."""

from __future__ import annotations

# English words that are also given names or surnames, in any position of a sentence.
_NAMES = """
may april june august summer winter autumn dawn eve day noon will would grace bill mark art rich rob bob pat sue sandy
bush king queen prince duke earl baron bishop pope priest abbot dean cook baker smith mason miller carpenter taylor
fisher hunter gardener potter butcher farmer shepherd judge justice sheriff marshal major general captain sergeant page
young old long short small little large big strong wise good best better brown black white green grey gray gold silver
rose lily violet daisy iris ivy olive heather hazel fern basil ginger pepper rice bean berry cherry apple
hope faith charity joy bliss love loving victor victoria patience prudence constance verity mercy honor honour
hill hills wood woods field fields brook brooks lake river rivers stone stones rock forest bay beach banks bank bridge
ford park parks church temple castle house hall gate gates street lane north south east west england ireland france
chase chance hunt shot shoot drew drake dove wolf fox lamb bull bird finch swan crane cross crown court law laws case
cash penny price bond bonds stock miles mile foot hand hands head heart power powers peace war wars battle
frank earnest ernest jack john doe jay ray rod stew stu wade guy guys gene jean dale glen cliff max christian pascal
man men woman child son sons daughter major minor junior senior read reader rush ward wards ware weeks week month year
star stars storm snow frost rain flood moon sun sky ocean waters waterman sharp bright swift moody
english french german irish welsh scott scots holland israel jordan chad georgia kenya china india paris london
do so an he she it is as at be by go if in me my no of on or to up us we am and are but can did for get had has her
him his how its let may met new nor not now off one our out own per put ran say see set the too two use via was way who
why yes yet you your their them they this that these those with from into over under after before about between during
while when where which what there then than thus here have been being were will shall should could must might said
""".split()

# Words for roles, bodies and papers: defined in a text as "the Company" they name no one outside it.
GENERIC = frozenset(
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
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december mr mrs ms miss dr mr. see ibid idem
""".split()
)

COMMON = frozenset(_NAMES) | GENERIC

# Legal forms of companies: part of the full name, absent from the short one.
LEGAL_FORMS = frozenset(
    """
ltd limited plc llc llp lp inc incorporated corp corporation co company gmbh mbh ag kg ohg ug se sa sas sarl srl spa
sl slu as asa ab aps oy oyj nv bv bvba cv kft rt zrt nyrt bt doo dd ad ead eood ood ooo oao zao pao jsc ojsc cjsc pjsc
llp pty pte bhd sdn kk tov too sp zoo sro spol eg ev ltda eireli
""".split()
)
