"""The table of national identifiers: how each is written, checked and announced, with one invented valid number."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from maskwise.detect.patterns._checksums import (
    is_australian_medicare,
    is_hungarian_health,
    is_hungarian_person,
    is_hungarian_tax,
    is_latvian_person,
    is_new_zealand_health,
    is_russian_pension,
    is_singaporean,
)


class Scheme(NamedTuple):
    """One identifier of one country.

    `checked_by`: a module of python-stdnum, a function, or empty where the shape is all there is. `words` announce it,
    separated by bars. `bare`: shape and check are together rare enough to do without a word. `checksum`: a check digit
    vouches for it, and not only its shape or the date in it.
    """

    name: str
    checked_by: str | Callable[[str], bool]
    regex: str
    words: str
    example: str
    bare: bool = False
    checksum: bool = True

    def valid(self, surface: str) -> bool:
        if callable(self.checked_by):
            return self.checked_by(surface)
        if not self.checked_by:
            return True
        return bool(import_module(f"stdnum.{self.checked_by}").is_valid(surface))


SCHEMES = (
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
    Scheme("gb_nhs", "gb.nhs", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", "nhs", "999 884 9551"),
    Scheme(
        "gb_nino",
        "",
        r"(?![DFIQUV]|.[DFIOQUV]|BG|GB|NK|KN|TN|NT|ZZ)[A-Z]{2}[ ]?[0-9]{2}[ ]?[0-9]{2}[ ]?[0-9]{2}[ ]?[A-D]",
        "national insurance|nino|ni number|ni no",
        "AB 99 15 42 C",
        bare=True,
        checksum=False,
    ),
    Scheme("gb_utr", "gb.utr", r"[0-9]{5}[ ]?[0-9]{5}", "utr|taxpayer reference", "99223 08963"),
    Scheme(
        "ie_pps",
        "ie.pps",
        r"[0-9]{7}[ ]?[A-W][A-IW]?",
        "pps|ppsn|personal public service",
        "9048239J",
    ),
    Scheme(
        "fr_nir",
        "fr.nir",
        r"[1-478][ .]?[0-9]{2}[ .]?[0-9]{2}[ .]?[0-9][0-9AB][ .]?[0-9]{3}[ .]?[0-9]{3}[ .]?[0-9]{2}",
        "nir|sécurité sociale|securite sociale|numéro de sécu|insee|social security",
        "1 00 01 99 886 399 93",
    ),
    Scheme(
        "fr_nif",
        "fr.nif",
        r"[0-3][0-9](?:[ ]?[0-9]{2}){1}(?:[ ]?[0-9]{3}){3}",
        "numéro fiscal|numero fiscal|spi|nif",
        "30 99 095 670 244",
    ),
    Scheme(
        "de_idnr",
        "de.idnr",
        r"[1-9][0-9](?:[ ]?[0-9]{3}){3}",
        "steuer-id|steuerid|steueridentifikationsnummer|steuerliche identifikationsnummer|idnr|identifikationsnummer",
        "99 452 603 188",
    ),
    Scheme(
        "at_vnr",
        "at.vnr",
        r"[1-9][0-9]{3}[ ]?[0-9]{6}",
        "svnr|vsnr|sozialversicherungsnummer|versicherungsnummer",
        "3892 010100",
    ),
    Scheme(
        "ch_ssn",
        "ch.ssn",
        r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}|756[0-9]{10}",
        "ahv|avs|ahv-nr|sozialversicherungsnummer",
        "756.9999.7698.53",
        bare=True,
    ),
    Scheme(
        "it_codice_fiscale",
        "it.codicefiscale",
        r"[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]",
        "codice fiscale|cod. fisc|c.f.",
        "RSSXXX00A01H999N",
        bare=True,
    ),
    Scheme("es_dni", "es.dni", r"[0-9]{8}[ -]?[A-Z]", "dni|documento nacional|nif", "99996484-M"),
    Scheme(
        "es_nie",
        "es.nie",
        r"[XYZ][ -]?[0-9]{7}[ -]?[A-Z]",
        "nie|número de identidad de extranjero",
        "Z9993104T",
        bare=True,
    ),
    Scheme(
        "pt_nif",
        "pt.nif",
        r"[1-9][0-9]{2}[ ]?[0-9]{3}[ ]?[0-9]{3}",
        "nif|contribuinte|número fiscal",
        "999 573 039",
    ),
    Scheme(
        "pt_cc",
        "pt.cc",
        r"[0-9]{8}[ -]?[0-9][ -]?[A-Z0-9]{2}[0-9]",
        "cartão de cidadão|cartao de cidadao",
        "99999759 8 ZZ5",
    ),
    Scheme(
        "nl_bsn",
        "nl.bsn",
        r"[0-9]{4}[ .]?[0-9]{2}[ .]?[0-9]{3}",
        "bsn|burgerservicenummer|sofinummer|sofi-nummer",
        "999918655",
    ),
    Scheme(
        "be_nn",
        "be.nn",
        r"[0-9]{2}[.]?[0-9]{2}[.]?[0-9]{2}[- ]?[0-9]{3}[. ]?[0-9]{2}",
        "rijksregisternummer|rijksregister|insz|niss|numéro national|registre national|nationaal nummer",
        "00.01.01-970.74",
    ),
    Scheme(
        "no_fodselsnummer",
        "no.fodselsnummer",
        r"[0-7][0-9]{5}[ ]?[0-9]{5}",
        "fødselsnummer|fodselsnummer|personnummer|fnr|birth number",
        "010100 47664",
    ),
    Scheme(
        "se_personnummer",
        "se.personnummer",
        r"(?:19|20)?[0-9]{6}[-+][0-9]{4}",
        "personnummer|samordningsnummer|personal identity number",
        "19000101-9819",
    ),
    Scheme(
        "fi_hetu",
        "fi.hetu",
        r"[0-3][0-9]{5}[-+A-FYXWVU][0-9]{3}[0-9A-FHJK-NPR-Y]",
        "hetu|henkilötunnus|henkilotunnus|personal identity code",
        "010100+8019",
        bare=True,
    ),
    Scheme(
        "dk_cpr",
        "dk.cpr",
        r"[0-3][0-9]{5}[- ]?[0-9]{4}",
        "cpr|personnummer|cpr-nr|cpr-nummer",
        "010100-1007",
        checksum=False,
    ),
    Scheme(
        "is_kennitala", "is_.kennitala", r"[0-7][0-9]{5}-?[0-9]{4}", "kennitala|kt.", "010100-2919"
    ),
    Scheme("pl_pesel", "pl.pesel", r"[0-9]{11}", "pesel", "00810199930"),
    Scheme("pl_nip", "pl.nip", r"[0-9]{3}-?[0-9]{3}-?[0-9]{2}-?[0-9]{2}", "nip", "999-385-24-56"),
    Scheme(
        "cz_rc",
        "cz.rc",
        r"[0-9]{6}/?[0-9]{3,4}",
        "rodné číslo|rodne cislo|rodné č|r.č.|birth number",
        "540101/9085",
    ),
    Scheme(
        "hu_person",
        is_hungarian_person,
        r"[1-8][ -]?[0-9]{6}[ -]?[0-9]{4}",
        "személyi szám|személyi azonosító|szemelyi szam|személyi",
        "3-000101-9522",
    ),
    Scheme(
        "hu_taj",
        is_hungarian_health,
        r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        "taj|taj szám|tajszám",
        "999 822 034",
    ),
    Scheme("hu_tax", is_hungarian_tax, r"8[0-9]{9}", "adóazonosító|adoazonosito", "8515481332"),
    Scheme("ro_cnp", "ro.cnp", r"[1-9][0-9]{12}", "cnp|cod numeric personal", "3000101529989"),
    Scheme("bg_egn", "bg.egn", r"[0-9]{10}", "егн|egn|единен граждански", "0021015530"),
    Scheme("bg_pnf", "bg.pnf", r"[0-9]{10}", "лнч|lnch|pnf", "9999421939"),
    Scheme("hr_oib", "hr.oib", r"[0-9]{11}", "oib|osobni identifikacijski", "99993978051"),
    Scheme(
        "si_emso",
        "si.emso",
        r"[0-3][0-9]{12}",
        "emšo|emso|jmbg|matični broj|enotna matična",
        "0101900509813",
    ),
    Scheme(
        "ee_isikukood",
        "ee.ik",
        r"[1-8][0-9]{10}",
        "isikukood|isikukoodi|personal code|personal identification code",
        "10001019752",
    ),
    Scheme(
        "lt_asmens_kodas",
        "lt.asmens",
        r"[1-9][0-9]{10}",
        "asmens kodas|asmens kodo|personal code",
        "10001011522",
    ),
    Scheme(
        "lv_personas_kods",
        is_latvian_person,
        r"[0-3][0-9]{5}-?[0-9]{5}",
        "personas kods|personas koda|personas kodu|personal code",
        "010100-09477",
    ),
    Scheme("gr_amka", "gr.amka", r"[0-3][0-9]{10}", "αμκα|amka", "01010058186"),
    Scheme("gr_afm", "gr.vat", r"[0-9]{9}", "αφμ|α.φ.μ|afm", "999304980"),
    Scheme(
        "tr_kimlik",
        "tr.tckimlik",
        r"[1-9][0-9]{10}",
        "tckn|t.c. kimlik|tc kimlik|kimlik no|kimlik numarası|t.c. no",
        "99916048220",
    ),
    Scheme("ua_rntrc", "ua.rntrc", r"[0-9]{10}", "рнокпп|rntrc|іпн|ідентифікаційний", "0000013290"),
    Scheme("ru_inn", "ru.inn", r"[0-9]{12}", "инн|inn", "999989579925"),
    Scheme(
        "ru_snils",
        is_russian_pension,
        r"[0-9]{3}-?[0-9]{3}-?[0-9]{3}[ -]?[0-9]{2}",
        "снилс|snils",
        "999-859-723 50",
    ),
    Scheme("al_nid", "al.nipt", r"[A-M][0-9]{8}[A-Z]", "nipt|nuis", "K99163811B", checksum=False),
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
