"""Words of which labels are made: names of fields in forms, tables, tickets and notes, of mail headers and sections.

A label says what stands beside it and names nobody. A word is listed only if it is hardly anybody's name.
"""

from __future__ import annotations

# Mail, messages and the web.
_MESSAGES = """
from to cc bcc sent date subject re fw fwd aw wg sv reply-to message-id in-reply-to references received return-path
x-to x-cc x-bcc x-from x-folder x-origin x-filename x-mailer x-priority mime-version content-type content-language
content-transfer-encoding thread-topic thread-index importance attachments attachment attached forwarded original
message von an gesendet betreff datum à objet envoyé asunto para enviado onderwerp ämne fecha
"""
# Contact data and people.
_CONTACT = """
name names first last middle given family full maiden surname forename nickname title suffix prefix initials
phone telephone tel fax mobile cell cellphone landline email e-mail mail website web url homepage contact contacts
address addresses street city town village state county country postcode zip postal district region province
nationality citizenship birthplace residence dob born birth birthday age sex gender marital status relationship
occupation profession employer employee employees department division section team unit role position job manager
supervisor spouse guardian parent mother father next kin emergency dependants dependents children
username user login handle nick password pwd pin skype linkedin twitter facebook instagram whatsapp telegram
adresse telefon telefonnummer vorname nachname geburtsdatum geburtsort straße strasse plz ort staatsangehörigkeit
prénom nom téléphone courriel ville nombre apellido apellidos teléfono correo dirección cognome indirizzo
navn adresse imię nazwisko adres
"""
# Numbers and papers.
_NUMBERS = """
holder holders owner id ids no nr num number numbers ref reference code account acct iban bic swift routing
sort card cvv cvc expiry expires
policy claim invoice order customer client member membership patient case file ticket incident badge licence license
passport visa permit registration plate vehicle vin serial imei mac ip host device model make tax ssn sin nin
nino nhs
mrn npi dea ein itin ssno social security insurance health national identity identification card driving driver
drivers
student employee payroll bank branch amount balance total subtotal price cost salary wage fee fees currency
payment paid
due debit credit deposit withdrawal transaction transactions description details quantity qty unit item items
statement period opening closing flight seat passenger passengers pnr departure arrival booking reservation upn sen
"""
# Time, tickets, logs and code.
_RECORDS = """
time timestamp start end started ended created updated opened closed modified duration deadline year month day week
hours priority severity category type kind product version plan tier level status state resolution queue assignee
assigned reporter reported reporting requester agent notes note comment comments remarks summary steps expected
actual
result results environment browser system platform build release component label labels tag tags source target path
info warn warning error debug trace fatal notice critical level logger thread class method function file line module
request response get post put delete patch http https status_code session token key secret value values data
true false
null none yes no n/a unknown attempt retries topic partition offset lag consumer producer auth
"""
# Clinics.
_CLINIC = """
admission admitted admit discharge discharged diagnosis diagnoses dx hpi pmh psh ros fh sh history present past
medical
surgical social family illness complaint chief medication medications meds allergies allergy nkda vitals vital signs
exam examination physical assessment plan impression findings finding labs laboratory imaging procedure procedures
operation operative preoperative postoperative preop postop anesthesia anaesthesia anesthesiologist surgeon
assistant
assistants attending physician provider pcp gp doctor nurse consultant referring ward bed room hospital course
follow-up
followup follow disposition condition prognosis recommendations technique indications indication specimen specimens
complications estimated blood loss drains fluids counts general heent neck chest lungs heart abdomen extremities
neurologic neurological skin psychiatric genitourinary gastrointestinal cardiovascular respiratory musculoskeletal
constitutional eyes ears nose throat height weight bmi bp pulse temperature temp respirations blood pressure
pressure
dose dosage frequency route reason visit encounter appointment weight immunizations vaccinations
""".replace("\n", " ")
# Reports, minutes, CVs, letters.
_PAPERS = """
incident narrative location place offence offense officer reporting witness witnesses suspect suspects victim
complainant statement interviewer interviewee interviewer applicant recipient sender signature signed witness
customer caller operator moderator speaker host guest question answer q a interpreter narrator student teacher
present apologies attendees absent minutes agenda aob agm action actions budget website chair treasurer secretary
profile objective experience employment education qualifications skills languages references interests hobbies
certifications publications awards projects work page chapter section part annex appendix table figure
confidential draft report form application registration survey questionnaire receipt notes introduction background
conclusion abstract contents accounts payable receivable payroll finance sales marketing engineering operations
support legal hr human resources logistics purchasing procurement research development production quality
relationship gold silver bronze platinum premium basic standard male female single married divorced widowed
brother sister cousin friend neighbour neighbor colleague partner high low medium urgent normal open pending
"""
WORDS = frozenset(f"{_MESSAGES} {_CONTACT} {_NUMBERS} {_RECORDS} {_CLINIC} {_PAPERS}".split())
# Small words inside a label: "Date of birth", "Next of kin", "Signed by".
JOINTS = frozenset(
    "of by the and or & for in on at to per a an is as if any other own your my his her their this current "
    "previous "
    "de la del du der die das des".split()
)
# The value beside such a label tells a kind, not who or where.
KINDS = frozenset(
    """
    sex gender relationship priority severity status plan tier level category type kind currency department division
    product version model make component browser environment platform system queue blood resolution state_of
    membership
    allergies allergy medication medications meds diagnosis diagnoses condition procedure indication topic
    """.split()
)
