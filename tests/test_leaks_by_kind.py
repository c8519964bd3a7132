"""Kinds of places where names and codes were once left, and kinds of words that were once masked."""

import pytest

from maskwise import Sanitizer

LEFT = {
    "an officer after a badge number": (
        "Reporting officer: PC 4471 Gwilym Prosser",
        "Gwilym|Prosser",
    ),
    "a town before a comma and I": (
        "We live in Wichita, I'm a dental hygienist",
        "Wichita|hygienist",
    ),
    "a date before a time": (
        "Follow up: Lakewood Practice, on 11/18 at 10:30. Treated for pneumonia and fever.",
        "11/18|10:30",
    ),
    "who is wished something": (
        "Happy birthday Tobi! Get well soon, Uncle Piotr. Happy 40th Ciku! Love from all",
        "Tobi|Piotr|Ciku",
    ),
    "the initials of a subject": (
        "Sample from subj. 017 (initials RTV, f). Tubes labelled RTV-1..4.",
        "RTV",
    ),
    "a sort code as people say it": (
        "tell Alun it goes to sort code two oh four five seven seven, and my pin is four four one nine",
        "two oh|seven|four|nine",
    ),
    "an insurance number in small letters": ("My NI no is jx 41 22 07 b, thanks.", "jx| b,"),
    "the last initial in a field": (
        "Patient: WHITFIELD, Thaddeus J.   MRN 00482913   Age: 91\nSeen in Dr. Nakagawa's clinic at Mercy Ridge.",
        "WHITFIELD|Thaddeus| J.",
    ),
    "the date of a test in a clinic": (
        "Colleagues, I would like a second opinion on her depression. Imaging (MRI) of 8/25/2014 attached. "
        "BP 120/80, continued on sertraline 50 mg; the patient denies fever.",
        "8/25/2014",
    ),
    "a day and a month in a clinic": (
        "Patient was treated for pneumonia with amoxicillin. X-ray of 4 April attached, no effusion.",
        "4 April",
    ),
    "an Irish postcode": ("Return to: 12 Sráid an Chósta, Galway H91 E2K8", "H91|E2K8"),
    "who signs in German": (
        "Wir ziehen am Montag um und freuen uns.\n\nMit freundlichen Grüßen\nAnnegret Holzapfel",
        "Annegret|Holzapfel",
    ),
    "who is greeted in Spanish": ("Hola Maite, soy Joaquín del taller.", "Maite|Joaquín"),
    "a relative in French": (
        "Je viens avec ma fille Maëlle et mon mari Loïc demain.",
        "Maëlle|Loïc",
    ),
    "an admin in a ticket": ("Status: Open\nOur admin Pekka tried restarting it.", "Pekka"),
    "a comment in code": ("# TODO: ask Saskia why this breaks\nrun()", "Saskia"),
    "a town in small letters": (
        "rt tornado warning til 6pm lol, stay safe tuscaloosa",
        "tuscaloosa",
    ),
    "a browser": (
        'GET / 200 "Mozilla/5.0 (X11; Linux x86_64; rv:9.0) Gecko/20100101 Firefox/9.0"',
        "Firefox/9.0",
    ),
    "a field with a number": ("9. Home address: 27 Nguyen Hue, Da Nang", "Nguyen|Da Nang"),
    "an account in a log": (
        "03:12 ERROR auth: bad password for user jkowalska from 198.51.100.23 port 50122",
        "jkowalska|198.51",
    ),
    "who is called beside a number": ("Call Ekaterini: 416-555-0177.", "Ekaterini|0177"),
    "a payee in a statement": ("03 Feb  FASTER PAYMENT  D OKONKWO  REF RENT  -650.00", "OKONKWO"),
    "a surname that is spelt": (
        "CALLER: Yeah it's Wojciechowska, that's W-O-J-C-I-E-C-H-O-W-S-K-A.",
        "Wojciechowska|W-O-J",
    ),
    "an address as people say it": (
        "my email is thandi dot m at example dot org ok",
        "thandi|example dot org",
    ),
    "a number as people say it": (
        "caller: oh seven seven hundred nine hundred one two three",
        "hundred|three",
    ),
    "a plate beside a car": ("He stopped a black Audi LK19 ZZZ in town", "LK19|ZZZ"),
    "a reference among letters": ("It is under Ana Souza, ref QK7R2M.", "QK7R2M"),
    "nicks that take turns": (
        "tunde: is grace in croydon\nife: ye she is\ntunde: whats her number\nife: no idea tbh",
        "tunde|ife",
    ),
    "an informal relative": (
        "HV today: baby Ezra gaining well, mum Tzipporah low in mood, dad Yoel away.",
        "Ezra|Tzipporah|Yoel",
    ),
    "who signs in one line": ("Passt gut so! LG Vroni", "Vroni"),
    "initials that end a note": ("Message left with reception after lunch. PJ", "PJ"),
    "a booking in brackets": ("though the booking (ZX8N4W) says otherwise", "ZX8N4W"),
    "an officer's number": ("OIC PC 2210 Gathercole will attend", "2210|Gathercole"),
    "a passenger": ("Seat change please. TAN/HUI MIN MS, thanks", "TAN|HUI"),
    "a name of small letters that owns": (
        "tyrese in 8C took anjalis bag again, miss khatun knows",
        "tyrese|anjali|khatun",
    ),
    "who writes with somebody": ("Summer and I loved the scarf. It is so soft.", "Summer"),
    "a street of another order": ("Mi tía vive en Carrera 7 # 45-10, apto 302.", "45-10|302"),
    "an old age beside a sex": ("pt (93F, mrn 009-22-41) on losartan, creatinine 2.1", "009-22"),
    "initials that act": ("Actions: Ulrike to order chairs; LK to email the firm.", "LK"),
    "a computer in a network": ("the host is anouk-macbook-pro.local today", "anouk"),
    "a neighbour by the door": (
        "Parcel is with the lady at number fourteen, thanks. Spare key next door (plot 31).",
        "fourteen|31",
    ),
    "a road with its article": ("The group meets at 7 The Maltings, back gate.", "7|Maltings"),
    "a door in words": ("Ring the bell, flat c, or ask in apartment nine B, ok?", "flat c|nine B"),
    "a street after a German preposition": (
        "Er wohnt Am Roten Speicher 12, 24103 Kiel.",
        "Roten|12|24103",
    ),
    "what somebody is called": (
        "Everybody at the club calls her Tizzle. He goes by Brack now.",
        "Tizzle|Brack",
    ),
    "people called by words": ("Mercy and Charity were on shift, all calm.", "Mercy|Charity"),
    "the key of a wireless network": (
        "The label says wifi key plum-Walnut-63 but my phone refuses it.",
        "plum-Walnut-63",
    ),
    "the code of a gate that looks like a year": ("Gate code 1968, mind the dog.", "1968"),
    "a licence in groups": (
        "provisional licence OYELA 804117 F99KT 21 was shown",
        "OYELA|804117|F99KT|21",
    ),
    "what a payer quotes": ("Please pay by Friday quoting TOLMS7B, thanks.", "TOLMS7B"),
    "a field of a form": ("Nationality:\n  Italian\nOccupation: Dental nurse", "Italian|nurse"),
}
MASKED = {
    "a department in a header": ("To: Accounts <ap@example.org>\nSubject: hello\n\nHi", "Accounts"),
    "a label of one letter": ("T: +44 161 496 0173 | M: 07700 900482", "T:|M:"),
    "a sex in a form": ("Name: Ana Souza\nSex: F\nPhone: 555 0148", "Sex: F"),
    "a role that logs in": ("1. Log in as administrator.\n2. Click Save.", "administrator"),
    "a body that acts": ("Actions: HR to confirm the date.", "HR"),
    "keys of a file": ("smtp:\n  host: mail one\nhttp:\n  port: any", "smtp|http"),
    "a genus": (
        "The patient's sputum grew S. pneumoniae, E. coli was absent. Fever.",
        "S. pneumoniae",
    ),
    "a class in a log": ("2025-03-02 11:20 INFO AuthService - login ok", "AuthService"),
    "an acronym of forums": ("She wants me to quit. AITA?", "AITA"),
    "an eponym with its possessive": (
        "56 yo male with Barrett's esophagus, no dysplasia on biopsy. Repeat EGD?",
        "Barrett's esophagus",
    ),
    "a score": ("Is the Framingham risk score valid in patients with diabetes?", "Framingham"),
    "a herb": (
        "Does St John's wort interact with warfarin in patients with asthma?",
        "St John's wort",
    ),
    "a mark out of ten": (
        "Rooms were clean, staff friendly, breakfast great. 10/10 from us",
        "10/10",
    ),
    "a small word abroad": (
        "Kan du ringa mig? Han bor på en gata och det är inte långt",
        "Han bor",
    ),
    "a greeting in Polish": (
        "Dzień dobry, proszę o zmianę adresu. Pozdrawiam",
        "Dzień dobry|Pozdrawiam",
    ),
    "a field of a header": ("X-Originating-IP: [203.0.113.77]", "X-Originating-IP"),
    "a member of a module in code": ('log.info("sending to %s", name)', "log.info"),
    "who is greeted by a role": ("Dear Colleague,\nPlease see this patient.", "Dear Colleague"),
    "a letter of a drug": ("He was treated with penicillin V for his sore throat.", "penicillin V"),
    "a number in a chart": ("Their song went in at number four, what a night.", "number four"),
    "talk after a speaker": ("Caller: Hiya, um, it is about my bill", "Hiya, um"),
    "a form that is no judgment": (
        "RENTAL APPLICATION\nApplicant ..... Ewan MacAllister\nCo-applicant ..... none\nPets ..... one cat",
        "Co-applicant|one cat",
    ),
}


@pytest.fixture(scope="module")
def sanitizer():
    return Sanitizer()


@pytest.mark.parametrize("kind", LEFT)
def test_nothing_identifying_is_left(kind, sanitizer):
    text, secrets = LEFT[kind]
    masked = sanitizer.sanitize(text).text
    assert [part for part in secrets.split("|") if part in masked] == []


@pytest.mark.parametrize("kind", MASKED)
def test_what_names_nobody_stays(kind, sanitizer):
    text, phrases = MASKED[kind]
    masked = sanitizer.sanitize(text).text
    assert [part for part in phrases.split("|") if part not in masked] == []
