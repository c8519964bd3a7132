"""The table of national identifiers: how each is written, checked and announced, with one invented valid number.

The order counts: a number that is valid in two countries belongs to the first.
"""

from __future__ import annotations

from maskwise.detect.patterns._checksums import (
    Scheme,
    is_australian_medicare,
    is_new_zealand_health,
    is_singaporean,
)
from maskwise.detect.patterns._european_schemes import EUROPE

_UNITED_STATES = (
    Scheme(
        "us_ssn",
        "us.ssn",
        r"[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}|[0-8][0-9]{8}",
        "ssn|social security",
        "899-71-5636",
        checksum=False,
    ),
    Scheme(
        "us_itin",
        "us.itin",
        r"9[0-9]{2}-?[0-9]{2}-?[0-9]{4}",
        "itin|taxpayer identification",
        "905-99-9605",
        checksum=False,
    ),
)
_OTHER_COUNTRIES = (
    Scheme(
        "br_cpf",
        "br.cpf",
        r"[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2}",
        "cpf|cadastro de pessoas",
        "999.596.131-86",
        bare=True,
    ),
    Scheme(
        "ar_cuit",
        "ar.cuit",
        r"(?:20|23|24|27|30|33|34)-?[0-9]{8}-?[0-9]",
        "cuit|cuil",
        "20-99121487-9",
        bare=True,
    ),
    Scheme(
        "ar_dni",
        "ar.dni",
        r"[0-9]{1,2}[.][0-9]{3}[.][0-9]{3}|[0-9]{7,8}",
        "dni|documento nacional de identidad",
        "99.396.251",
        checksum=False,
    ),
    Scheme(
        "cl_rut",
        "cl.rut",
        r"[0-9]{1,2}[.]?[0-9]{3}[.]?[0-9]{3}-[0-9Kk]",
        "rut|rol único|rol unico|run",
        "99.184.446-5",
        bare=True,
    ),
    Scheme(
        "co_nit", "co.nit", r"[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-[0-9]", "nit|cédula", "999.589.890-1"
    ),
    Scheme("ec_cedula", "ec.ci", r"[0-3][0-9]{8}-?[0-9]", "cédula|cedula", "245678747-8"),
    Scheme(
        "do_cedula", "do.cedula", r"[0-9]{3}-?[0-9]{7}-?[0-9]", "cédula|cedula", "999-4967328-1"
    ),
    Scheme("pe_cui", "pe.cui", r"[0-9]{8}-?[0-9A-K]", "cui|dni", "99993597-0"),
    Scheme(
        "mx_curp",
        "mx.curp",
        r"[A-Z]{4}[0-9]{6}[HM][A-Z]{5}[0-9A-Z][0-9]",
        "curp|clave única",
        "XEXX000101HNEXXX07",
        bare=True,
    ),
    Scheme(
        "mx_rfc",
        "mx.rfc",
        r"[A-ZÑ&]{4}-?[0-9]{6}-?[0-9A-Z]{2}[0-9A]",
        "rfc|registro federal",
        "ZUZX0001018U0",
        checksum=False,
    ),
    Scheme(
        "in_aadhaar",
        "in_.aadhaar",
        r"[2-9][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}",
        "aadhaar|aadhar|uidai",
        "9999 4243 7873",
    ),
    Scheme(
        "in_pan",
        "in_.pan",
        r"[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]",
        "pan|permanent account number",
        "ZZZPZ9900C",
        bare=True,
        checksum=False,
    ),
    Scheme(
        "pk_cnic",
        "pk.cnic",
        r"[1-7][0-9]{4}-[0-9]{7}-[0-9]|[1-7][0-9]{12}",
        "cnic|nadra",
        "74999-7139016-5",
    ),
    Scheme(
        "id_nik", "id.nik", r"[0-9]{16}", "nik|nomor induk|ktp", "1101014101003147", checksum=False
    ),
    Scheme(
        "my_nric",
        "my.nric",
        r"[0-9]{6}-[0-9]{2}-[0-9]{4}",
        "nric|mykad|kad pengenalan",
        "000101-14-9640",
        checksum=False,
    ),
    Scheme("sg_nric", is_singaporean, r"[STFG][0-9]{7}[A-Z]", "nric|fin", "S0086956B"),
    Scheme(
        "th_pin",
        "th.pin",
        r"[1-8]-?[0-9]{4}-?[0-9]{5}-?[0-9]{2}-?[0-9]",
        "เลขประจำตัว|thai id|citizen id",
        "8-9999-19437-97-0",
    ),
    Scheme(
        "cn_ric",
        "cn.ric",
        r"[1-9][0-9]{16}[0-9Xx]",
        "身份证|居民身份|resident identity",
        "11010119000101383X",
        bare=True,
    ),
    Scheme(
        "jp_my_number",
        "jp.in_",
        r"[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}",
        "マイナンバー|個人番号|my number",
        "9999 2108 0570",
    ),
    Scheme(
        "kr_rrn",
        "kr.rrn",
        r"[0-9]{6}-[0-9][0-9]{6}",
        "주민등록번호|rrn|resident registration",
        "000101-9718199",
        bare=True,
    ),
    Scheme(
        "il_id",
        "il.idnr",
        r"[0-9]{8}-?[0-9]",
        "מספר זהות|teudat zehut|mispar zehut|ת.ז",
        "99998366-1",
    ),
    Scheme(
        "za_id",
        "za.idnr",
        r"[0-9]{6}[ ]?[0-9]{4}[ ]?[0-9]{2}[ ]?[0-9]",
        "south african id|sa id|rsa id|id number",
        "000101 1697 08 1",
    ),
    Scheme("ke_pin", "ke.pin", r"[AP][0-9]{9}[A-Z]", "kra pin|kra", "A999029962Z", checksum=False),
    Scheme("mu_nid", "mu.nid", r"[A-Z][0-9]{6}[0-9]{6}[0-9A-Z]", "nid|mauritian", "Z010100148205B"),
    Scheme(
        "au_tfn", "au.tfn", r"[0-9]{3}[ ]?[0-9]{3}[ ]?[0-9]{2,3}", "tfn|tax file", "999 720 373"
    ),
    Scheme(
        "au_medicare",
        is_australian_medicare,
        r"[2-6][0-9]{3}[ ]?[0-9]{5}[ ]?[0-9]",
        "medicare",
        "6917 06764 8",
    ),
    Scheme(
        "nz_ird",
        "nz.ird",
        r"[0-9]{2,3}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        "ird|inland revenue",
        "139-533-313",
    ),
    Scheme("nz_nhi", is_new_zealand_health, r"[A-HJ-NP-Z]{3}[0-9]{4}", "nhi", "ZZZ0059"),
    Scheme(
        "ca_sin",
        "ca.sin",
        r"[1-9][0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        "sin|social insurance|nas|assurance sociale",
        "999 244 528",
    ),
    Scheme(
        "ca_phn",
        "ca.bc_phn",
        r"9[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        "phn|personal health number",
        "9999 460 232",
    ),
)
SCHEMES = (*_UNITED_STATES, *EUROPE, *_OTHER_COUNTRIES)
