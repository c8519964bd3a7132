"""Words that fill the slots of templates. `PATTERNS` writes codes: # digit, A capital, a letter, x hexadecimal, * any."""

from __future__ import annotations

MONTHS = (
    "January February March April May June July August September October November December".split()
)
MAIL_HOSTS = "example.com example.org example.net mail.example post.example inbox.example corp.example".split()
ROOTS = "Nor Vel Tri Alt Cor Lum Zen Quan Ox Bel Ard Fin Sol Ver Nex Pol Kal Mer Hel Dyn Syn Tel Om Gra Bri Cas Del Ero".split()
ENDINGS = "tech tara vex ium ora nova link ware sys lane gate field mark worth ella ix on ance ico don via pharm soft".split()
FIRMS = (
    "Ltd|Limited|Inc.|Inc|LLC|GmbH|AG|S.A.|SpA|B.V.|AB|Oy|Group|Holdings|Logistics|Consulting|Energy|Foods|Motors|Insurance|Partners|Solutions"
    "|Software|Pharmaceuticals|Construction|Capital|Media|Airlines|Plumbing|Bakery|Dental|Books|Robotics|Trading|Properties"
).split("|")
ADJECTIVES = "Northern Blue Golden Silver First Central Riverside Green United Royal Coastal Highland Sunrise Maple Harbour Lakeside".split()
TRADES = "Freight Steel Optics Dairy Textiles Travel Telecom Media Fisheries Cycles Catering Systems Furniture Roofing Toys".split()
FORMS = "Ltd|Inc.|Company|Co.|Cooperative|Works|Group|Corporation".split("|")
STREETS = (
    "# % Street|# % Road|# % Avenue|# % Lane|# % Drive|# % Close|# % St.|# % Ave|% Straße #|%straat #|%gatan #|Rue % #|# rue %|Calle % #|Via % #"
    "|Rua % #|ul. % #|%vej #|# % Court|Apt. #, 12 % Road|# % Boulevard|# % Crescent|Flat #, 3 % House|%gasse #|Plaza % #|# % Rd|# % Way"
).split("|")
POSTCODES = (
    ("USA", "#####"), ("USA", "#####"), ("USA", "#####-####"), ("UK", "AA# #AA"), ("UK", "A## #AA"), ("Germany", "#####"), ("France", "#####"),
    ("Italy", "#####"), ("Spain", "#####"), ("Netherlands", "#### AA"), ("Belgium", "####"), ("Austria", "####"), ("Switzerland", "####"),
    ("Sweden", "### ##"), ("Norway", "####"), ("Denmark", "####"), ("Finland", "#####"), ("Poland", "##-###"), ("Portugal", "####-###"),
    ("Ireland", "A## A#A#"), ("Canada", "A#A #A#"), ("Australia", "####"), ("India", "######"), ("Brazil", "#####-###"), ("Czech Republic", "### ##"),
    ("Turkey", "#####"), ("South Africa", "####"), ("Mexico", "#####"),
)  # fmt: skip
STATES = "CA TX NY FL OH IL WA MA GA NC MI PA AZ CO OR MN".split()
PROVINCES = "ON BC QC AB NS".split()
AUSTRALIAN = "NSW VIC QLD WA SA".split()
KNOWN_CITIES = (
    "London|Manchester|Leeds|Glasgow|Dublin|Cork|New York|Chicago|Boston|Seattle|Denver|Houston|Austin|Portland|Los Angeles|San Francisco|San Diego"
    "|Miami|Atlanta|Phoenix|Toronto|Vancouver|Montreal|Sydney|Melbourne|Brisbane|Auckland|Berlin|Munich|Hamburg|Vienna|Zurich|Geneva|Paris|Lyon"
    "|Madrid|Barcelona|Lisbon|Porto|Rome|Milan|Athens|Istanbul|Ankara|Warsaw|Kraków|Prague|Budapest|Bucharest|Sofia|Stockholm|Oslo|Copenhagen"
    "|Helsinki|Amsterdam|Rotterdam|Brussels|Mumbai|Delhi|Bangalore|Lagos|Nairobi|Cape Town|Cairo|Tokyo|Osaka|Seoul|Beijing|Shanghai|Singapore"
    "|Manila|Jakarta|Mexico City|Buenos Aires|São Paulo|Bogotá|Lima|Santiago|Dubai|Tel Aviv|Brooklyn|Queens|Camden|Oxford|Cambridge|Bristol"
).split("|")
JOBS = (
    "software engineer|data analyst|nurse|teacher|primary school teacher|electrician|plumber|lawyer|paralegal|accountant|chef|line cook|barista|truck driver"
    "|bus driver|dentist|pharmacist|graphic designer|web developer|project manager|store manager|sales assistant|cashier|waitress|police officer|firefighter"
    "|paramedic|social worker|architect|civil engineer|mechanic|carpenter|hairdresser|journalist|translator|librarian|research assistant|professor|postdoc"
    "|PhD student|student|medical student|intern|HR manager|marketing manager|product manager|consultant|real estate agent|farmer|pilot|flight attendant"
    "|security guard|janitor|receptionist|office manager|bank clerk|financial advisor|entrepreneur|freelance photographer|violinist|music teacher|yoga instructor"
    "|personal trainer|retired teacher|stay-at-home mom|housewife|game developer|DevOps engineer|UX designer|veterinarian|physiotherapist|optician|welder"
    "|warehouse worker|delivery driver|customer service agent|insurance broker|tax advisor|city planner|biologist|chemist|statistician|museum curator|tailor"
).split("|")
# Values without a type: the model must leave them alone.
PLAIN = {
    "software": "Kafka|Jenkins|Kubernetes|Postgres|Redis|Docker|Excel|Outlook|Slack|Zoom|Teams|Jira|Confluence|Salesforce|Photoshop|Windows|Linux|Ubuntu|Chrome|Firefox|Python|Java|Rust|Django|React|Spark|Airflow|Terraform|Grafana|Elastic|Cassandra|Hadoop|Oracle|SAP|Git|Word|PowerPoint|Android|iOS|Apache|Nginx|Tomcat|Maven|Puppet|Ansible|Vault|Consul|Prometheus|Cypress|Jasmine|Ruby|Julia|Perl|Basil|Bazel".split(
        "|"
    ),
    "product": "iPhone 13|Galaxy S22|PlayStation|Xbox|Kindle|MacBook|ThinkPad|Corolla|Golf|Fiesta|Model 3|Espresso Pro 3|AirPods|Fitbit|Roomba|Dyson V8|Tesla|Nespresso|Lego|Monopoly|Tylenol|Aspirin|Red Bull|Nutella|Vans|Levi's 501|Converse|Air Max|Alexa|Siri|Surface Pro|Pixel 7".split(
        "|"
    ),
    "plan": "Gold|Silver|Platinum|Basic|Premium|Standard|Family|Student|Business Plus|Starter|Pro|Enterprise|Bronze|Ruby|Diamond|Flex|Saver|Unlimited".split(
        "|"
    ),
    "team": "the Tigers|the Lakers|Red Sox|the Eagles|the Bears|Real|United|the Sharks|the Giants|the Blues|the Jets|the Saints|the Rockets|the Wolves".split(
        "|"
    ),
    "weekday": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tue|Fri|next Monday|this Friday|Tuesday morning|Thursday afternoon|tomorrow|today|yesterday|tonight|next week|last week|this weekend".split(
        "|"
    ),
    "ugh": "omg|OMG|lol|LOL|lmao|wtf|haha|hahaha|RT|smh|tbh|idk|btw|yay|ugh|wow|damn|bruh|yo|nah|yep|ikr|imo|brb|ttyl|FML|thx|pls|ffs|rofl|aww|oops|hmm|meh|ok".split(
        "|"
    ),
    "test": "CBC|MRI|CT scan|ECG|EKG|chest X-ray|HbA1c|TSH|lipid panel|colonoscopy|biopsy|urinalysis|echocardiogram|ultrasound|BMP|CMP|LFTs|EEG|PET scan|Pap smear|PSA|troponin|D-dimer|blood cultures|Holter monitor|Babinski sign|Romberg test|Glasgow Coma Scale|Apgar score|Foley catheter|Swan-Ganz catheter|Doppler|Coombs test|Mantoux test".split(
        "|"
    ),
    "brandname": "Lasix|Tylenol|Advil|Zoloft|Prozac|Lipitor|Plavix|Coumadin|Synthroid|Norvasc|Xanax|Ativan|Ambien|Nexium|Prilosec|Zyrtec|Claritin|Allegra|Lantus|Humira|Keppra|Seroquel|Abilify|Eliquis|Xarelto|Ventolin|Singulair|Motrin|Percocet|Vicodin|Cymbalta|Wellbutrin|Lexapro|Celexa|Adderall|Ritalin|Botox|Levaquin|Cipro|Augmentin|Bactrim|Zofran|Reglan|Crestor|Zocor|Diovan|Cozaar|Lopressor|Toprol".split(
        "|"
    ),
    "illness": "diabetes|hypertension|asthma|COPD|pneumonia|migraine|depression|anxiety|Crohn's disease|Parkinson's disease|Alzheimer's disease|Hodgkin lymphoma|Graves' disease|Hashimoto thyroiditis|Lyme disease|Down syndrome|Bell's palsy|Addison's disease|Cushing's syndrome|Guillain-Barré syndrome|Kawasaki disease|Marfan syndrome|Wilson disease|Tourette syndrome|Sjögren's syndrome|lupus|gout|anemia|sepsis|GERD|atrial fibrillation|congestive heart failure|hypothyroidism|osteoarthritis|sciatica|psoriasis|eczema|sinusitis|bronchitis|otitis media|UTI|appendicitis|cholecystitis|stroke|TIA|epilepsy|MS|HIV|hepatitis C|breast cancer|colon cancer|melanoma|leukemia".split(
        "|"
    ),
    "n": [str(n) for n in range(1, 60)],
    "count": "two three four five six seven eight nine ten twelve twenty".split(),
    "percent": [f"{n}%" for n in range(2, 99)],
    "dose": "5 mg|10 mg|20 mg|25 mg|40 mg|50 mg|75 mg|100 mg|250 mg|500 mg|1 g|0.5 mg|81 mg|325 mg|10 mL|2 puffs|1 tablet".split(
        "|"
    ),
    "freq": "daily|twice daily|b.i.d.|t.i.d.|q.h.s.|p.r.n.|every 8 hours|at bedtime|once a week|PO daily|IV q6h".split(
        "|"
    ),
    "topic": "the budget|the slides|the contract|the invoice|our call|the renewal|the report|the offer|the schedule|the move|the launch|the audit|the delivery|the refund|next steps|the interview|the agenda|the proposal|holiday plans|the training|the server|the migration".split(
        "|"
    ),
    "thing": "a sofa|a laptop|a washing machine|two chairs|the printer|the router|a bike|the dishwasher|the headset|a dress|the boots|a phone case|the oven|the keyboard".split(
        "|"
    ),
    "weather": "rainy|cold|sunny|windy|hot|foggy".split("|"),
    "food": "pizza|ramen|tacos|sushi|curry|pancakes|burgers|pho|lasagne|falafel".split("|"),
    "duration": "two weeks|three days|six months|a year|ten years|45 minutes|24 hours|a few hours|several months|the past week|an hour".split(
        "|"
    ),
}
# Values with a type, and the share of annotators who would mask them.
TYPED = {
    "marital": ("DEM", 0.85, "married|divorced|single|widowed|engaged|separated|a widow|a widower|newly married|recently divorced|in a civil partnership|unmarried".split("|")),
    "family": ("DEM", 0.75, "two kids|three children|a son|a daughter|twin boys|a baby girl|mother of three|father of two|single mom|single dad|an only child|twin sister|grandmother of five|oldest of six siblings|a toddler|one child|four kids".split("|")),
    "kin": ("DEM", 0.55, "wife|husband|daughter|son|sister|brother|mother|father|grandmother|fiancée|partner|ex-wife|uncle|niece|stepfather".split("|")),
    "degree": ("DEM", 0.9, "bachelor's degree in biology|master's degree|MBA|PhD in chemistry|BSc in computer science|MSc|degree in economics|law degree|high school diploma|GED|associate degree|BA in English|doctorate|MD|nursing degree|diploma in accounting|some college|master's in statistics".split("|")),
    "nationality": ("DEM", 0.7, "Italian|Polish|German|French|Brazilian|Nigerian|Indian|Turkish|Mexican|Irish|Canadian|Swedish|Korean|Japanese|Chinese|Filipino|Iranian|Greek|Portuguese|Kenyan|Colombian|Ukrainian|Pakistani|Vietnamese|Moroccan|Somali|Australian|Dutch".split("|")),
    "faith": ("DEM", 0.8, "Catholic|Muslim|Jewish|Hindu|Buddhist|Methodist|Baptist|Sikh|Orthodox|Lutheran|Protestant|atheist".split("|")),
    "country": ("LOC", 0.6, "Germany|France|Italy|Spain|Portugal|Poland|Sweden|Norway|Ireland|Canada|Australia|India|Japan|Brazil|Mexico|Turkey|Kenya|Nigeria|the Netherlands|Switzerland|Austria|Greece|the UK|the US|USA|China|South Korea|Vietnam|Argentina|New Zealand".split("|")),
    "agency": ("ORG", 0.5, "the Home Office|the IRS|the FBI|HMRC|the NHS|NASA|the World Bank|the United Nations|the European Commission|the Ministry of Health|the Department of Education|the Red Cross|Interpol|the FDA|the CDC".split("|")),
    "brand": ("ORG", 0.5, "Amazon|Google|Microsoft|Apple|Netflix|Starbucks|IKEA|Walmart|Tesco|Vodafone|Verizon|PayPal|Uber|Airbnb|Ryanair|Lufthansa|Nike|Samsung|Sony|Toyota|BMW|Facebook|Twitter|YouTube|Spotify|eBay|Costco|DHL|FedEx|Ford|Intel|IBM|Enron|Pfizer|Shell".split("|")),
    "dept": ("ORG", 0.2, "Human Resources|Finance|Customer Support|the Legal Department|IT Support|Accounts Payable|Procurement|Operations".split("|")),
}  # fmt: skip
PATTERNS = {
    "phone": [
        "+1 (###) 555-01##",
        "(###) 555-01##",
        "###-555-01##",
        "+44 20 7946 0###",
        "07700 900###",
        "020 7946 0###",
        "+49 30 23125 ###",
        "+33 1 99 00 ## ##",
        "+353 1 555 0###",
        "555-01##",
        "+46 8 465 004 ##",
        "+91 98### #####",
        "1-800-555-01##",
        "+39 06 ### ####",
        "+61 2 5550 ####",
        "0## ### ## ##",
        "+48 ### ### ###",
        "x####",
    ],
    "ssn": ["###-##-####", "***-**-####"],
    "nino": ["AA ## ## ## A", "AA######A"],
    "natid": [
        "########A",
        "#### #### ####",
        "######-####",
        "###########",
        "##.##.##-###.##",
        "A-#######-A",
        "RSSMR\\A##A##A###A",
    ],
    "passport": ["#########", "A########", "AA#######", "P########"],
    "licence": [
        "IE-########",
        "US-DL-########",
        "D###-####-####",
        "A#######",
        "DE-########",
        "AAAAA######A##AA",
        "CA-DL-A#######",
        "UK-DL-AAAAA######",
    ],
    "iban": [
        "GB## AAAA #### #### #### ##",
        "DE## #### #### #### #### ##",
        "FR## #### #### #### #### #### ###",
        "IE##AAAA##############",
        "NL##AAAA##########",
        "ES##################",
        "SE## #### #### #### #### ####",
    ],
    "card": [
        "4### #### #### ####",
        "5###-####-####-####",
        "3### ###### #####",
        "4###############",
        "**** **** **** ####",
        "ending in ####",
    ],
    "cvv": ["###"],
    "pin": ["####", "######"],
    "account": [
        "########",
        "####-####-####",
        "##########",
        "AC-######",
        "00##########",
        "XXXX####",
    ],
    "sort": ["##-##-##", "#########"],
    "swift": ["AAAA\\GB2L", "AAAADEFF", "AAAAUS33\\X\\X\\X"],
    "mrn": ["#######", "MRN-######", "##-##-##", "H########", "########", "A#####", "PT-####-####"],
    "nhs": ["### ### ####", "##########"],
    "policy": ["POL-########", "AA-######-##", "HX#######", "###-###-##A", "INS/####/#####"],
    "case": [
        "CR-####-#####",
        "####/##",
        "INC-######",
        "CS-##-####",
        "##-####",
        "2#-CV-#####",
        "REF/##/####",
        "PR/####/###",
    ],
    "order": ["ORD-######", "#######", "#AA-######-###", "AM-#####", "#\\#####"],
    "invoice": ["INV-#####", "INV/####/###", "2#-####", "R-######"],
    "ticket": ["TCK-#####", "HD-######", "REQ#######", "INC#######", "#\\#####"],
    "tracking": ["1Z***A##########", "AA#########GB", "JD##############", "####-####-####"],
    "employee": ["E-#####", "EMP####", "P######", "######", "AA-####"],
    "student": ["S########", "ST-######", "########"],
    "member": ["M-######", "LX########", "###-###-###", "GC#######"],
    "ip": [
        "192.0.2.##",
        "198.51.100.1##",
        "203.0.113.##",
        "10.##.##.##",
        "172.16.##.1",
        "2001:db8::xxxx:xxxx",
    ],
    "mac": ["xx:xx:xx:xx:xx:xx", "00-1B-xx-xx-xx-xx"],
    "imei": ["35#############"],
    "plate": [
        "AA## AAA",
        "AAA-####",
        "A-AA ####",
        "#AAA###",
        "AA ### AA",
        "##-A-#####",
        "AAA ####",
    ],
    "vin": ["1HG*A##########", "WVWZZZ#A#A#######"],
    "password": [
        "aaaaaa##!",
        "Aaaaaa#####",
        "P\\@ssw0rd##",
        "aaaa-AAAA-##",
        "********#!",
        "hunter##",
    ],
    "apikey": [
        "sk_live_************************",
        "AKIA****************",
        "ghp_************************************",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "AIza***********************************",
        "eyJ**********************.eyJ**********.****************",
    ],
    "uuid": ["xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx"],
    "btc": [
        "1**********************************",
        "bc1qaaaaaa##aaaa##aaaa####aaaa",
        "0xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ],
    "session": ["sess_************", "xxxxxxxxxxxxxxxx", "SID=****************"],
    "device": ["SN-########", "A#######AAA", "DEV-####-AA"],
    "flight": ["AA ####", "AA###"],
    "booking": ["AAA#AA", "AA####"],
    "taxid": ["##-#######", "DE#########", "GB ### #### ##", "ATU########"],
    "msgid": ["<########.####.JavaMail.evans\\@thyme>", "<xxxxxxxx.xxxx\\@mail.example>"],
    "userid": ["u######", "user_####", "usr-xxxxxx", "U#####"],
}
