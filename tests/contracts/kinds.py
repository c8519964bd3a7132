"""How each kind of value is announced in forms and logs, told in prose and dropped in a chat."""

from __future__ import annotations

from . import values as v
from . import vocabulary as w
from .layouts import Kind


def kind(name: str, make: v.Maker, labels: str, prose: str, chat: str) -> Kind:
    """Alternatives stand apart by a bar."""
    return Kind(
        name,
        make,
        *(tuple(part.strip() for part in texts.split("|")) for texts in (labels, prose, chat)),
    )


IDENTIFIERS = (
    kind(
        "name",
        v.person,
        "Name|Patient|Patient name|Full name|Contact person|Employee|Client|Assigned to|Student|Prepared by",
        "The patient, {}, came with her sister.|Mr {} signed the form.|The nurse called {} at once.|Dr {} saw her.",
        "my name is {}|hi i'm {}|this is {} speaking|name's {} thx",
    ),
    kind(
        "street",
        v.street,
        "Address|Street|Home address|Mailing address",
        "She lives at {}.|He moved to {} last spring.|The parcel went to {} by mistake.",
        "my address is {}|i live at {} now|send it to {} pls",
    ),
    kind(
        "city",
        v.city,
        "City|Town|City of residence|Birthplace",
        "She lives in {} with her son.|He grew up in {} and left at eighteen.|They drove her home to {}.",
        "i live in {}|we moved to {} last year|im from {} originally",
    ),
    kind(
        "county",
        v.county,
        "County|Residence|County of residence",
        "She is a resident of {}.|The ambulance of {} brought him in.|He farms in {}.",
        "i live in {}|we are in {} btw",
    ),
    kind(
        "zip",
        v.zip_code,
        "ZIP|Zip code|Postal code|Postcode",
        "Her postal code is {}.|Letters go to zip code {}.|The zip is {} on both forms.",
        "zip is {}|my zip code is {} btw",
    ),
    kind(
        "date",
        v.date,
        "DOB|Date of birth|Admitted|Discharge date|Date of visit",
        "She was admitted on {} with a fever.|He was born on {}.|The operation took place on {}.",
        "my dob is {}|i was born {}|appt was on {}",
    ),
    kind(
        "age over 89",
        v.old_age,
        "Patient is|Condition|Note",
        "The patient is {} and lives alone.|She is {} and still drives.",
        "grandma is {} lol|he is {}",
    ),
    kind(
        "phone",
        v.phone,
        "Phone|Tel|Tel.|Mobile|Cell|Home phone|Phone no.|Contact number",
        "Her phone number is {}.|Call her daughter on {} after noon.|He can be reached at {}.",
        "call me on {}|my number is {}|txt me {}|my cell is {} btw",
    ),
    kind(
        "fax",
        v.phone,
        "Fax|Fax no.|Fax number",
        "Send the results by fax to {}.|The fax number of the practice is {}.",
        "fax is {}|fax it to {} pls",
    ),
    kind(
        "email",
        v.email,
        "Email|E-mail|Email address",
        "Write to {} with questions.|Her address is {} for now.",
        "email me at {}|its {}",
    ),
    kind(
        "ssn",
        v.ssn,
        "SSN|Social security number|Social Security No.|SS#",
        "Her social security number is {}.|The form shows SSN {} in two places.",
        "my ssn is {}|ssn {} thx|social is {}",
    ),
    kind(
        "mrn",
        v.mrn,
        "MRN|Medical record number|Med rec no.|Chart no.|Patient ID",
        "The chart with MRN {} was missing.|Her medical record number is {}.",
        "my mrn is {}|mrn {} if that helps",
    ),
    kind(
        "health plan",
        v.health_plan,
        "Member ID|Health plan no.|Beneficiary no.|Policy no.|Insurance ID|Medicare no.",
        "The plan lists her as member {}.|Her insurance ID is {}.|The beneficiary number is {}.",
        "my member id is {}|insurance id {} ok?",
    ),
    kind(
        "account",
        v.account,
        "Acct|Acct no.|Account|Account number|Account #|Bank account",
        "The refund went to account {} by mistake.|Her account number is {}.",
        "my acct is {} btw|account number {}|acct no {} thx",
    ),
    kind(
        "licence",
        v.licence,
        "License no.|Driver's license|Licence number|Certificate no.|DL|Nursing license",
        "His driver's license {} has expired.|Her licence number is {}.|The certificate number is {}.",
        "my license number is {}|dl is {}|license no {} here",
    ),
    kind(
        "vin",
        v.vin,
        "VIN|Vehicle VIN|Chassis no.",
        "The van with VIN {} was towed.|The vehicle identification number is {}.",
        "vin is {}|the vin {} is on the door",
    ),
    kind(
        "plate",
        v.plate,
        "License plate|Plate|Plate no.|Vehicle registration|Tag no.",
        "Her car, license plate {}, stood outside.|The plate number is {}.",
        "my plate is {}|plate number {} blue honda",
    ),
    kind(
        "device",
        v.device,
        "Serial no.|Device serial|S/N|Pacemaker serial|Device ID|Serial number",
        "The pacemaker, serial number {}, was checked.|The pump has serial no. {} on the back.",
        "serial is {}|the serial number is {}|s/n {} on the back",
    ),
    kind(
        "imei",
        v.imei,
        "IMEI|Device IMEI",
        "The phone with IMEI {} was stolen.",
        "imei is {}|imei {} ok",
    ),
    kind(
        "url",
        v.url,
        "Portal|URL|Website|Link|Home page",
        "Her results are at {} now.|See {} for the scan.",
        "look at {}|its on {}",
    ),
    kind(
        "ip",
        v.ip,
        "IP|IP address|Client IP|Source IP|Remote host",
        "The login came from {} at night.|The address {} was blocked.",
        "my ip is {}|ip {} keeps failing",
    ),
    kind(
        "mac",
        v.mac,
        "MAC|MAC address|Hardware address",
        "The monitor with MAC address {} went silent.",
        "mac is {}|the mac address is {}",
    ),
    kind(
        "biometric",
        v.biometric,
        "Fingerprint ID|Biometric ID|Iris scan ID|Voiceprint ID|Fingerprint template",
        "Her fingerprint ID {} is on file.|The biometric ID is {}.",
        "fingerprint id is {}|my biometric id {}",
    ),
    kind(
        "other number",
        v.other_number,
        "Employee ID|Specimen no.|Study ID|Case no.|Badge no.|Reference|Student ID|Order no.",
        "The specimen number is {}.|Her employee ID is {}.|The study lists her as no. {}.",
        "my employee id is {}|ref {} pls|badge number is {}",
    ),
    kind(
        "nhs number",
        v.nhs,
        "NHS number|NHS no.",
        "Her NHS number is {}.",
        "my nhs number is {}|nhs no {}",
    ),
    kind(
        "iban",
        v.iban,
        "IBAN|Bank account",
        "Pay to IBAN {} within ten days.|Her account is {}.",
        "iban is {}|send it to {}",
    ),
    kind(
        "card",
        v.card,
        "Card|Card number|Credit card",
        "She paid with card {} twice.",
        "my card is {}|card number {}",
    ),
    kind(
        "passport",
        v.passport,
        "Passport|Passport no.|Passport number",
        "His passport number is {}.|Passport no. {} was stamped.",
        "my passport is {}|passport no {}",
    ),
    kind(
        "handle",
        v.handle,
        "Twitter|Instagram|Username|Handle",
        "She posts as {} most nights.|Follow {} for more.",
        "im {} on insta|add me {}",
    ),
)

PEOPLE = "name"
CODES = tuple(
    k.name
    for k in IDENTIFIERS
    if k.name not in (PEOPLE, "street", "city", "county", "zip", "date", "age over 89")
)

OTHERS = (
    kind(
        "diagnosis",
        v.one_of(*w.DIAGNOSES),
        "Diagnosis|Assessment|Problem",
        "The diagnosis is {} without complications.|She was treated for {} again.",
        "they say its {}|i have {}",
    ),
    kind(
        "drug",
        v.one_of(*w.DRUGS),
        "Medication|Drug|Rx",
        "She takes {} twice daily.|He was started on {} in the ward.",
        "im on {}|they gave me {}",
    ),
    kind(
        "test",
        v.one_of(
            "HbA1c 7.2 %", "creatinine 1.1 mg/dl", "sodium 138", "hemoglobin 12.4", "potassium 4.1"
        ),
        "Lab|Result|Labs",
        "The laboratory reported {} in the morning.|Her labs showed {} and nothing else.",
        "labs came back {}|got {} today",
    ),
    kind(
        "amount",
        w.amount,
        "Amount|Total|Charge|Balance",
        "The charge is {} for the stay.|He paid {} at the desk.",
        "they want {}|paid {} already",
    ),
    kind(
        "age under 90",
        w.age,
        "Patient is|Note",
        "The patient is {} and works shifts.",
        "im {}|she is {}",
    ),
    kind(
        "state",
        v.one_of(*w.STATES),
        "State|State of residence",
        "She lives in the state of {} all year.|He moved to {} as a child.",
        "i live in {}|we moved to {}",
    ),
    kind(
        "year",
        w.year,
        "Year|Since|Year of diagnosis",
        "The first operation was in {} and went well.|She has smoked since {} or so.",
        "had it since {}|that was in {}",
    ),
    kind(
        "organisation",
        w.firm,
        "Employer|Company|Organisation",
        "She works for {} in the warehouse.|The invoice came from {} in spring.",
        "i work at {}|got a letter from {}",
    ),
    kind(
        "place",
        v.one_of(*w.PLACES),
        "Place|Site|Location",
        "The interviews took place in {} and took two weeks.|She studied in {} for a term.",
        "we met in {}|was in {} back then",
    ),
    kind(
        "demographic",
        v.one_of(*w.GROUPS),
        "Background|Note",
        "The first respondent is {} and speaks freely.",
        "im {}",
    ),
    kind(
        "court",
        v.one_of(*w.COURTS),
        "Before|Instance",
        "The appeal was dismissed by {} on all points.|{} gave judgment for the plaintiff.",
        "it went to {}|{} said no",
    ),
    kind(
        "government",
        v.one_of(*w.GOVERNMENTS),
        "Respondent|Defendant",
        "{} contested that argument.|The claim was sent to {} for comments.",
        "wrote to {}|{} never answered",
    ),
    kind(
        "country",
        v.one_of(*w.COUNTRIES),
        "State party|Country",
        "He brought his complaint against {} before the judges.|He was extradited to {} in the end.",
        "its against {}|the case is in {}",
    ),
    kind(
        "law",
        v.one_of(*w.LAWS),
        "Provision|Law applied",
        "The complaint falls under {} as it stands.|He relied on {} alone.",
        "its about {}|they cited {}",
    ),
    kind(
        "relative date",
        v.one_of(*w.RELATIVE_DATES),
        "When|Note",
        "He came back {} without the papers.|She was released {} on bail.",
        "came back {}|it was {}",
    ),
    kind(
        "application number",
        v.application,
        "Application no.|Appl. no.|Case no.",
        "She wrote that application no. {} is against the state.|Application no. {} was joined to it.",
        "our application no. {} is pending|its application no. {}",
    ),
    kind(
        "health",
        v.one_of("diabetes", "depression", "HIV", "epilepsy", "schizophrenia", "cancer"),
        "Health|Illness",
        "She told the board that she suffers from {} since childhood.|He was diagnosed with {} at the camp.",
        "i have {}|they found {}",
    ),
    kind(
        "belief",
        v.one_of("Muslim", "Catholic", "Jewish", "atheist", "Buddhist", "Jehovah's Witness"),
        "Religion|Faith",
        "He is {} and asked for a separate kitchen.|She was raised {} by her aunt.",
        "im {}|my family is {}",
    ),
    kind(
        "ethnic origin",
        v.one_of("Roma", "Kurdish", "Sami", "Chechen", "Tatar"),
        "Ethnicity|Ethnic origin",
        "The applicant is of {} origin and was refused entry.|He is {} by birth.",
        "im {}|my family is {}",
    ),
    kind(
        "orientation",
        v.one_of("gay", "lesbian", "bisexual", "homosexual"),
        "Sexual orientation|Orientation",
        "He said that he is {} and had to leave.|She is {} and lives openly.",
        "im {}|he is {}",
    ),
    kind(
        "politics",
        v.one_of("communist", "socialist", "member of the opposition", "trade unionist"),
        "Political views|Affiliation",
        "The file says that he is a {} of long standing.",
        "im a {}",
    ),
    kind(
        "offence",
        v.one_of("murder", "theft", "fraud", "drug trafficking", "rape", "tax evasion"),
        "Offence|Charge|Convicted of",
        "He was convicted of {} and appealed.|She was charged with {} in spring.",
        "got charged with {}|he did time for {}",
    ),
)

KINDS = {one.name: one for one in (*IDENTIFIERS, *OTHERS)}
