"""Values that a policy may let stand: illnesses, drugs, states, countries, laws, courts, times told from others.

Organisations are invented. Each list holds more values than the table draws, so that another seed draws others.
"""

from __future__ import annotations

from random import Random

DIAGNOSES = (
    "type 2 diabetes|pneumonia|atrial fibrillation|chronic kidney disease|asthma|hypertension|migraine|psoriasis"
    "|osteoarthritis|acute bronchitis|appendicitis|hypothyroidism|iron deficiency anemia|gout|bipolar disorder"
    "|epilepsy|sepsis|deep vein thrombosis|congestive heart failure|multiple sclerosis|hepatitis C|shingles"
    "|type 1 diabetes|glaucoma|lung cancer"
).split("|")
DRUGS = (
    "metformin 500 mg|lisinopril 10 mg|aspirin 81 mg|amoxicillin|atorvastatin 40 mg|ibuprofen|warfarin 5 mg"
    "|levothyroxine 75 mcg|omeprazole 20 mg|prednisone|gabapentin 300 mg|sertraline 50 mg|insulin glargine"
    "|furosemide 40 mg|albuterol|clopidogrel 75 mg|amlodipine 5 mg|hydrochlorothiazide|methotrexate|morphine"
    "|tramadol 50 mg|simvastatin 20 mg|losartan 50 mg|doxycycline|lorazepam 1 mg"
).split("|")
STATES = (
    "Ohio|Texas|California|Oregon|Arizona|Nebraska|Alabama|Colorado|Florida|Idaho|Illinois|Iowa|Kansas|Kentucky"
    "|Louisiana|Maine|Maryland|Michigan|Minnesota|Missouri|Montana|Nevada|New Jersey|New Mexico|North Carolina|Oklahoma"
    "|Pennsylvania|South Dakota|Tennessee|Utah|Vermont|West Virginia|Wisconsin|Wyoming"
).split("|")
COUNTRIES = (
    "Norway|Poland|Turkey|France|Romania|Austria|Germany|Italy|Spain|Portugal|Greece|Bulgaria|Hungary|Ukraine|Russia"
    "|Sweden|Finland|Denmark|Switzerland|Belgium|Croatia|Serbia|Slovenia|Slovakia|Lithuania|Latvia|Estonia|Moldova"
    "|Armenia|Azerbaijan|Cyprus|Malta|Ireland|Iceland|Albania|Montenegro|Brazil|Canada|Japan|Kenya|the Netherlands"
    "|the United Kingdom|the Czech Republic|North Macedonia|San Marino"
).split("|")
COURTS = (
    "the Court of Appeal|the Supreme Court|the Constitutional Court|the High Court|the District Court"
    "|the Court of Cassation|the Administrative Court|the Regional Court|the Criminal Court|the Federal Court"
    "|the Court of First Instance|the Labour Court"
).split("|")
GOVERNMENTS = (
    "the Government|the Ministry of Justice|the Ministry of the Interior|the Ministry of Health"
    "|the Ministry of Finance|the Ministry of Defence|the Ministry of Education|the Parliament|the Senate"
).split("|")
LAWS = (
    "Article 8 of the Convention|Article 6 § 1|section 12 of the Housing Act 1985|Rule 39 of the Rules of Court"
    "|Article 3|Article 10 § 2 of the Convention|section 3(1) of the Animals Act 1971|Articles 5 and 6"
    "|Article 1 of Protocol No. 1|section 47 of the Road Traffic Act 1988|Article 125 of the Criminal Code"
    "|Rule 54 § 2|paragraph 4 of Article 6|the Code of Civil Procedure|the Data Protection Act 2018"
    "|Law no. 4483|Regulation (EU) 2016/679|section 9 of the Water Act"
).split("|")
RELATIVE_DATES = (
    "three days later|the following day|two weeks earlier|the next morning|a month later|ten years ago"
    "|the previous evening|a week before|several months later|the same day|last summer|the following week"
    "|six hours later|two and a half years later|last year|that evening"
).split("|")
PLACES = (
    "Oslo|Lyon|Hamburg|Kraków|Seville|Turin|Bergen|Gdańsk|Porto|Graz|Ghent|Utrecht|Malmö|Tampere|Brno|Debrecen|Bologna"
    "|Marseille|Leeds|Cork|Zürich|Nairobi|Osaka|Lima"
).split("|")
GROUPS = (
    "Norwegian|a widow|a carpenter|unemployed|a nurse|Polish|divorced|a bus driver|retired|a teacher|single|a farmer"
    "|Turkish|a student|married|an electrician|pregnant|a cook"
).split("|")
_FIRMS = "Northwind Harbour Bluebell Kestrel Alder Greystone Larkfield Tideway Ironbridge Foxglove".split()
_TRADES = "Logistics Steel Foods Insurance Bank Textiles Shipping Energy Software Motors".split()
_FORMS = ("Ltd", "Inc.", "plc", "LLC", "GmbH", "Limited")


def firm(random: Random) -> str:
    return f"{random.choice(_FIRMS)} {random.choice(_TRADES)} {random.choice(_FORMS)}"


def amount(random: Random) -> str:
    units = random.randint(2, 990)
    whole = random.choice((str(units), f"{units % 90 + 1},{random.randint(0, 999):03}"))
    cents = random.choice(("", "", f".{random.randint(0, 99):02}"))
    sign = random.choice(("$", "$", "$", "£", "€", "EUR ", "GBP ", "USD ", "NOK "))
    return f"{sign}{whole}{cents}"


def age(random: Random) -> str:
    years = random.randint(18, 89)
    return random.choice(
        (f"{years} years old", f"aged {years}", f"{years}-year-old", f"age {years}")
    )


def year(random: Random) -> str:
    return str(random.randint(1950, 2026))
