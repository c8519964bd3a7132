"""A bank of 60 invented tables over 12 domains, each column with the kind that a person would say it has.

The tables of the first six domains are for development. Those of the other six are held out: figures come from them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from uuid import UUID

from faker import Faker

LOCALES = ("en_GB", "en_US", "de_DE", "pl_PL", "fr_FR", "es_ES", "no_NO", "it_IT")
DEVELOPMENT = ("clinic", "bank", "school", "shop", "staff", "telecom")
HELD_OUT = ("insurance", "travel", "housing", "court", "charity", "sport")

# domain / table: header = generator; the kind of a column is that of its generator.
BANK = """
clinic/patients: patient_id=coded, full_name=name, dob=birth, sex=sex, phone=phone, postcode=postcode, gp=name,
  notes=note
clinic/admissions: AdmissionNo=serial, PatientName=surname_first, AdmittedOn=day, Ward=ward, LengthOfStay=count,
  Diagnosis=illness, Outcome=status
clinic/labs: mrn=digits8, sample_taken=moment, analyte=analyte, result=measure, unit=unit, flag=flag, comment=note
clinic/births: mother=name, child first name=given, date of birth=birth, weight_g=grams, midwife=name,
  hospital=hospital, complications=note
clinic/referrals: Ref=coded, Surname=surname, Forename=given, NHS number=digits10, Age=age, Referred to=hospital,
  Reason=note, Priority=level
bank/accounts: account_no=digits10, iban=iban, holder=name, opened=day, balance=amount, currency=currency,
  branch_city=city
bank/transfers: txn_id=uuid, from_account=iban, to_account=iban, beneficiary=name, amount=amount,
  booked_at=moment, purpose=note
bank/cards: cardNumber=card, cardHolder=upper_name, expiry=month_year, dailyLimit=round_amount, status=status,
  lat=lat, lon=lon
bank/clients: client=name, email=email, mobile=phone_number, born=birth_dotted, nationality=nationality,
  occupation=job, income=amount, risk_score=score
bank/loans: loan ref=coded, applicant=name, co-applicant=name, principal=round_amount, rate=percent,
  term_months=count, employer=company, decision=status
school/pupils: pupil_no=digits5, first_name=given, last_name=surname, birth_date=birth, class=klass,
  guardian=name, guardian_tel=phone, allergies=note
school/marks: student_id=digits6, subject=subject, term=term, mark=score, absences=count, teacher=name, remark=note
school/staff: StaffCode=coded, Name=name, Email=email, Address=street, Town=city, PostCode=postcode,
  Salary=amount, Hired=day
school/bus: route=route, stop=street, latitude=lat, longitude=lon, driver=name, licence=plate, seats=count
school/alumni: matriculation=digits8, name=name, graduated=day, degree=degree, employer=company, country=country,
  religion=religion
shop/orders: order_id=serial, customer_id=digits5, customer=name, order_date=day, total=amount,
  currency=currency, status=status, delivery_note=note
shop/customers: id=digits4, name=name, mail=email, street=street, city=city, zip=postcode, newsletter=truth,
  lifetime_value=amount
shop/reviews: review_id=uuid, user=handle, stars=stars, review=note, posted=moment, helpful=count, ip=ip
shop/returns: RMA=coded, Invoice=serial, Buyer=surname_first, Phone=phone_number, Reason=note, Refund=amount,
  Warehouse=city
shop/sessions: session=hex, user_id=digits6, started=epoch, duration_s=count, pages=count, device=device,
  country=country
staff/employees: emp_no=digits5, employee=name, gender=sex, birthday=birth, hired=day, job title=job,
  department=department, salary=amount, ssn=ssn
staff/leave: id=digits4, employee_name=name, from=day, to=day, days=count, reason=note, approved=truth
staff/payroll: PersonnelNo=digits8, Surname=surname, Initials=initials, IBAN=iban, TaxID=digits11, Gross=amount,
  Net=amount, Month=month_year
staff/applicants: applicant=name, e-mail=email, tel=phone, linkedin=url, position=job, years_experience=count,
  expected=round_amount, impression=note
staff/contacts: contact_person=name, relation=relation, contact_phone=phone, address=street, city=city,
  country=country
telecom/subscribers: msisdn=digits11, imsi=digits15, subscriber=name, plan=plan, activated=day,
  monthly_fee=amount, region=region
telecom/calls: caller=phone_number, callee=phone_number, start=moment, seconds=count, cell_id=digits6,
  cell_lat=lat, cell_lng=lon, cost=amount
telecom/tickets: ticket=coded, opened=moment, agent=name, customer=name, severity=level, description=note,
  closed=truth
telecom/devices: imei=digits15, mac=mac, serial=hex, model=device, firmware=version, ip_address=ip, owner=name
telecom/invoices: invoice_number=serial, account=digits8, billing_name=name, billing_address=street, due=day,
  net=amount, vat=amount, paid=truth
insurance/policies: policy_no=coded, policyholder=name, date_of_birth=birth_dotted, start=day, premium=amount,
  product=plan, broker=company, town=city
insurance/claims: Claim=serial, Claimant=surname_first, LossDate=day, Amount=amount, Place=city, Narrative=note,
  Status=status, Handler=name
insurance/vehicles: registration=plate, vin=vin, keeper=name, make=make, first_registered=day, mileage=count,
  colour=colour, postcode=postcode
insurance/health: insured_person=name, member_number=digits10, sex=sex, age=age, smoker=truth, bmi=measure,
  condition=illness, monthly=amount
insurance/agents: agent_id=digits5, agent=name, phone=phone_number, mail=email, region=region, contracts=count,
  commission=percent
travel/bookings: pnr=pnr, passenger=upper_name, passport=passport, nationality=nationality, flight=flight,
  departure=moment, fare=amount, meal=meal
travel/hotel: reservation=digits8, guest=name, arrival=day, nights=count, room=digits3, rate=amount, phone=phone,
  special_requests=note
travel/loyalty: member_id=digits10, first=given, last=surname, tier=level, miles=count, birth_year=birth_year,
  email=email
travel/visas: Application=coded, Applicant=name, Born=birth, Occupation=job, Sponsor=company, Decision=status,
  DecidedOn=day
travel/trips: trip=uuid, driver=name, pickup_latitude=lat, pickup_longitude=lon, picked_up=epoch, km=measure,
  fare=amount, rating=stars
housing/tenants: tenant=name, unit=unit_no, rent=amount, deposit=round_amount, moved_in=day, telephone=phone,
  bank_account=iban, remarks=note
housing/residents: uprn=digits11, address=street, city=city, postal_code=postcode, head_of_household=name,
  occupants=count, tenure=tenure
housing/sales: deed=serial, seller=name, buyer=name, price=round_amount, sold_on=day, geo=latlon, agent=company
housing/repairs: job_no=digits6, reported_by=name, contact=phone_number, reported=moment, problem=note,
  trade=trade, cost=amount, urgent=truth
housing/meters: meter_id=digits8, customer_no=digits6, reading=measure, read_at=moment, latitude=lat,
  longitude=lon, tariff=plan
court/cases: case_no=case_no, plaintiff=name, defendant=name, judge=name, filed=day, claim_value=amount,
  outcome=status, summary=note
court/inmates: prisoner_id=digits6, surname=surname, given names=given, dob=birth_dotted, offence=offence,
  sentence_months=count, facility=prison, ethnicity=ethnicity
court/jurors: juror=digits4, name=name, address=street, occupation=job, age=age, served=truth, phone=phone
court/fines: notice=serial, offender=surname_first, plate=plate, amount=round_amount, issued_at=moment,
  location=street, paid=truth
court/lawyers: bar_number=digits6, lawyer=name, firm=company, email=email, city=city, admitted=day, fee=amount
charity/donors: donor_id=digits5, donor=name, gift=amount, gift_date=day, method=method, email=email,
  country=country, message=note
charity/volunteers: Name=name, Date of Birth=birth, Languages=language, Skills=note, Phone=phone,
  Emergency contact=name, Hours=count
charity/beneficiaries: code=coded, head_of_family=name, family_size=count, camp=city, nationality=nationality,
  religion=religion, needs=note, registered=day
charity/grants: grant_no=coded, recipient=company, officer=name, awarded=round_amount, approved_on=day,
  sector=sector, share=percent
charity/events: ticket_no=serial, attendee=name, mobile=phone_number, table=count, diet=meal, paid_at=moment,
  company=company
sport/members: membership=digits6, member=name, birthday=birth, gender=sex, joined=day, fee=amount, e_mail=email,
  mobile=phone
sport/races: bib=digits4, runner=name, club=company, category=klass, finish_seconds=count, position=rank,
  nationality=nationality
sport/tracks: device_id=hex, athlete=name, lat=lat, lng=lon, altitude_m=measure, heart_rate=count, recorded=epoch
sport/coaches: licence_no=coded, coach=name, since=day, discipline=sport, city=city, salary=amount, evaluation=note
sport/doping: sample_code=digits8, athlete_name=upper_name, dob=birth, collected=moment, substance=substance,
  result=status, lab=hospital
"""

_WORDS: dict[str, tuple[str, str]] = {
    "status": ("category", "open closed pending approved rejected cancelled"),
    "level": ("category", "low medium high urgent gold silver"),
    "flag": ("category", "H L N"),
    "unit": ("category", "mmol/l mg/dl g/l IU/l"),
    "currency": ("category", "EUR GBP NOK PLN USD"),
    "truth": ("category", "yes no"),
    "ward": ("category", "A1 A2 B1 B3 ICU"),
    "klass": ("category", "5a 5b 6a 7c 8b"),
    "term": ("category", "autumn spring summer"),
    "subject": ("category", "maths physics history art music"),
    "route": ("category", "R1 R2 R7 R12"),
    "degree": ("category", "BSc MSc BA PhD"),
    "department": ("category", "sales finance logistics support legal"),
    "relation": ("category", "mother father partner brother friend"),
    "plan": ("category", "basic plus family business night"),
    "device": ("category", "tablet phone-x2 laptop desktop"),
    "version": ("category", "1.2.0 1.3.1 2.0.4 2.1.0"),
    "make": ("category", "saloon estate van coupe"),
    "colour": ("category", "red blue grey black white"),
    "meal": ("category", "vegan standard kosher halal none"),
    "tenure": ("category", "owned rented shared"),
    "trade": ("category", "plumbing electrics joinery roofing"),
    "method": ("category", "card transfer cash cheque"),
    "sector": ("category", "water education food shelter"),
    "sport": ("category", "rowing judo fencing sprint"),
    "substance": ("category", "none stimulant steroid diuretic"),
    "analyte": ("category", "glucose sodium potassium ferritin creatinine"),
    "flight": ("category", "XY101 XY204 XY377 XY518"),
    "sex": ("attribute", "F M"),
    "nationality": ("attribute", "Norwegian Polish German Spanish Nigerian Indian Chilean"),
    "religion": ("attribute", "Catholic Muslim Lutheran Buddhist Hindu none"),
    "ethnicity": ("attribute", "Sami Roma Kurdish Basque Yoruba"),
    "language": ("attribute", "English Polish Arabic Tamil Swedish"),
    "illness": ("attribute", "asthma diabetes migraine pneumonia eczema anaemia"),
    "offence": ("attribute", "burglary fraud arson assault theft"),
    "prison": ("organisation", "Northgate_Prison Elm_Hill_Prison Saltmarsh_Gaol"),
    "hospital": (
        "organisation",
        "Elmfield_Hospital St_Anne's_Clinic Harbour_General_Hospital North_Lab",
    ),
}
_NOTES = (
    "Called on {day} and asked for a later appointment.",
    "{name} will collect the papers in {city} next week.",
    "No problems so far, everything went as planned.",
    "Very unhappy with the last visit; wants to speak to {name}.",
    "Moved from {city} in spring and has not sent the new address yet.",
    "The parcel was left with a neighbour, please ring twice.",
    "Complains about noise at night, second letter this year.",
    "Was told to come back with the original document.",
)
_CODES = {
    "coded": "AA-#####", "serial": "INV-2024-####", "digits3": "###", "digits4": "####", "digits5": "#####",
    "digits6": "######", "digits8": "########", "digits10": "##########", "digits11": "###########",
    "digits15": "###############", "plate": "AA## AAA", "passport": "A#######", "pnr": "AAAAAA",
    "vin": "AAA##AAA########",
    "ssn": "000-##-####", "case_no": "# A ###/##", "unit_no": "##A", "card": "0000 #### #### ####",
    "phone": "+44 1632 960###", "phone_number": "441632960###", "mac": "02:##:##:##:##:##", "ip": "192.0.2.1##",
}  # fmt: skip
_NUMBERS: dict[str, Callable[[random.Random], str]] = {
    "count": lambda r: str(r.randint(0, 240)),
    "grams": lambda r: str(r.randint(2100, 4600)),
    "measure": lambda r: f"{r.uniform(1, 300):.1f}",
    "amount": lambda r: f"{r.uniform(5, 9000):.2f}",
    "round_amount": lambda r: str(r.randint(1, 900) * 500),
    "percent": lambda r: f"{r.uniform(0.5, 12):.2f}",
    "score": lambda r: str(r.randint(1, 100)),
    "stars": lambda r: str(r.randint(1, 5)),
    "rank": lambda r: str(r.randint(1, 180)),
}


@dataclass(frozen=True)
class BankTable:
    """A table: its domain and name, and per column the header, the kind and the values."""

    domain: str
    name: str
    headers: tuple[str, ...]
    kinds: tuple[str, ...]
    generators: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)


def build_bank(rows: int = 120, seed: int = 20) -> list[BankTable]:
    """All tables, always the same for the same seed."""
    found = []
    lines = BANK.strip().replace(",\n  ", ", ").splitlines()
    for number, line in enumerate(lines):
        where, columns = line.split(": ", 1)
        domain, name = where.split("/")
        pairs = [column.split("=") for column in columns.split(", ")]
        maker = _Maker(seed + number, LOCALES[number % len(LOCALES)])
        values = [[maker.make(generator) for _, generator in pairs] for _ in range(rows)]
        found.append(
            BankTable(
                domain,
                name,
                tuple(header for header, _ in pairs),
                tuple(find_kind(generator) for _, generator in pairs),
                tuple(generator for _, generator in pairs),
                tuple(map(tuple, values)),
            )
        )
    return found


def find_kind(generator: str) -> str:
    """The kind of a column that a generator fills."""
    if generator in _WORDS:
        return _WORDS[generator][0]
    if generator in _CODES or generator in ("email", "iban", "uuid", "hex", "handle", "url"):
        return "code"
    if generator in _NUMBERS:
        return "number"
    named = {
        "name": "name surname_first upper_name surname given initials",
        "birth": "birth birth_dotted birth_year",
        "date": "day moment epoch month_year",
        "place": "street city postcode country region",
        "position": "lat lon latlon",
        "organisation": "company",
        "attribute": "job age",
        "text": "note",
    }
    return next(kind for kind, names in named.items() if generator in names.split())


class _Maker:
    """Invents the values of one table."""

    def __init__(self, seed: int, locale: str) -> None:
        self.random = random.Random(seed)
        self.faker = Faker(locale)
        self.faker.seed_instance(seed)

    def make(self, generator: str) -> str:
        if generator in _WORDS:
            return self.random.choice(_WORDS[generator][1].split()).replace("_", " ")
        if generator in _CODES:
            return self._fill(_CODES[generator])
        if generator in _NUMBERS:
            return _NUMBERS[generator](self.random)
        return str(getattr(self, f"make_{generator}")())

    def _fill(self, pattern: str) -> str:
        signs = {"#": "0123456789", "A": "ABCDEFGHKLMNPRSTUVWXYZ"}
        filled = [self.random.choice(signs[s]) if s in signs else s for s in pattern]
        return "9" + "".join(filled[1:]) if pattern[0] == "#" else "".join(filled)

    def make_given(self) -> str:
        return self.faker.first_name()

    def make_surname(self) -> str:
        return self.faker.last_name()

    def make_name(self) -> str:
        return f"{self.make_given()} {self.make_surname()}"

    def make_surname_first(self) -> str:
        return f"{self.make_surname()}, {self.make_given()}"

    def make_upper_name(self) -> str:
        return self.make_name().upper()

    def make_initials(self) -> str:
        return f"{self.make_given()[0]}.{self.make_given()[0]}."

    def make_email(self) -> str:
        return f"{self.random.choice('abcdefg')}.{self.make_surname().lower().replace(' ', '')}@example.org"

    def make_handle(self) -> str:
        return f"{self.make_given().lower()}{self.random.randint(10, 99)}"

    def make_url(self) -> str:
        return f"https://people.example.org/in/{self.make_handle()}"

    def make_iban(self) -> str:
        return self._fill("GB00 AAAA #### #### #### ##")

    def make_uuid(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def make_hex(self) -> str:
        return f"{self.random.getrandbits(48):012x}"

    def _pick_day(self, first: int, last: int) -> date:
        start = date(first, 1, 1)
        return start + timedelta(days=self.random.randrange((date(last, 12, 31) - start).days))

    def make_birth(self) -> str:
        return self._pick_day(1935, 2012).isoformat()

    def make_birth_dotted(self) -> str:
        return self._pick_day(1935, 2012).strftime("%d.%m.%Y")

    def make_birth_year(self) -> str:
        return str(self.random.randint(1935, 2010))

    def make_day(self) -> str:
        return self._pick_day(2015, 2024).isoformat()

    def make_month_year(self) -> str:
        return self._pick_day(2020, 2027).strftime("%m/%Y")

    def make_moment(self) -> str:
        return f"{self.make_day()} {self.random.randint(0, 23):02}:{self.random.randint(0, 59):02}"

    def make_epoch(self) -> str:
        return str(self.random.randint(1_500_000_000, 1_720_000_000))

    def make_street(self) -> str:
        return self.faker.street_address().replace("\n", ", ")

    def make_city(self) -> str:
        return self.faker.city()

    def make_postcode(self) -> str:
        return self.faker.postcode()

    def make_country(self) -> str:
        return self.random.choice(
            ["Norway", "Poland", "Germany", "Spain", "Chile", "Kenya", "Italy"]
        )

    def make_region(self) -> str:
        return self.random.choice(["Bavaria", "Lombardy", "Andalusia", "Masovia", "Yorkshire"])

    def make_lat(self) -> str:
        return f"{self.random.uniform(36, 69):.5f}"

    def make_lon(self) -> str:
        return f"{self.random.uniform(-9, 29):.5f}"

    def make_latlon(self) -> str:
        return f"{self.make_lat()}, {self.make_lon()}"

    def make_company(self) -> str:
        return self.faker.company()

    def make_job(self) -> str:
        jobs = "nurse teacher plumber accountant journalist electrician librarian engineer carpenter chef"
        return self.random.choice(jobs.split())

    def make_age(self) -> str:
        return str(self.random.randint(18, 93))

    def make_note(self) -> str:
        template = self.random.choice(_NOTES)
        return template.format(day=self.make_day(), name=self.make_name(), city=self.make_city())
