"""Signs of the origin of a name: how given names and surnames end or begin, letters, and particles."""

from __future__ import annotations

import re

from maskwise.text.word_lists import read_table

_ENDINGS = {
    "polish": r"(?:sk|ck|dzk)[ia]$|(?:cz|rz|szcz)yk$|icz$|ówna$|wicz$",
    "russian": r"(?:[^aeiou](?:ov|ev|in)|yev)a?$|(?:sk|tsk)(?:iy|y|aya)$",
    "ukrainian": r"(?:enko|chuk|yuk|iuk|shyn|skyi)$",
    "bulgarian": r"(?:kov|chev|iev|nov)a?$",
    "czech": r"ova$|(?:cek|cky|sky|ik|ak)$",
    "croatian": r"(?:ov|ev|an)?ic$",
    "armenian": r"(?:y|i)an(?:ts)?$",
    "georgian": r"(?:shvili|dze|iani|uri|ava|eli)$",
    "greek": r"(?:poulos|poulou|akis|aki|idis|idou|iadis|atos|ellis|oglou|nnis|nni)$",
    "turkish": r"(?:oglu|soy|tas|demir)$",
    "azerbaijani": r"(?:zade|liyev|liyeva)$",
    "lithuanian": r"(?:auskas|iene|aitis|aite|yte|unas|evicius|avicius)$",
    "latvian": r"(?:ins|ina|nieks|kalns|ons)$",
    "estonian": r"(?:mae|ste|saar|pere|soo)$",
    "finnish": r"(?:nen|la|maki|ranta|salo|lahti|joki|konen)$",
    "icelandic": r"(?:sdottir|sson)$",
    "swedish": r"(?:qvist|kvist|strom|berg|lund|ell|gren|sson|dahl)$",
    "norwegian": r"(?:stad|rud|dal|eng|bakken|vik|nes|land|oy|sen|set|moen|haug)$",
    "danish": r"(?:gaard|sen|skov|toft|holm|gesen)$",
    "german": r"(?:mann|bauer|berger|meier|meyer|hauser|stein|bach|thal|wald|kamp|inger|huber|muller|egger)$",
    "dutch": r"(?:stra|sma|huis|dijk|veld|(?<!rah)man|mans|aert|ink|broek|braak)$",
    "french": r"(?:eau|eux|ault|oux|ier|ard|ont|elle|aine|ette|oine|sne)$",
    "spanish": r"(?:[ae]z|ado|illo|ero|os|eria)$",
    "portuguese": r"(?:eira|eiro|es|inho|ao|anti)$",
    "italian": r"(?:ini|etti|elli|otti|ucci|ello|ano|one|acci|etta|ano|onte|ardi)$",
    "romanian": r"(?:escu|eanu|oiu|iu|aru)$",
    "hungarian": r"(?:nagy|kis|halmi|falvi|fi|vari|csi|szky|yi)$",
    "arabic": r"(?:oui|aoui|ouche|allah|eddine|ani|awi)$|^(?:ben|bou|abu|abd|el|al)",
    "pakistani": r"(?:shi|dhry|dry|ullah|zai|wari|rahman)$",
    "indian": r"(?:walla|rajan|swamy|appa|krishnan|nathan|raman|murthy|reddy|garh|ayan|aswami|esh|maniam|palli)$",
    "vietnamese": r"^(?:nguyen|tran|pham|hoang|huynh|phan|vu|vo|dang|bui|ngo|duong)$",
    "chinese": r"^(?:li|wang|zhang|liu|chen|zhao|huang|zhou|wu|xu|sun|zhu|lin|guo|ma|luo|zheng|xie|song|tang|deng|feng|"
    r"cao|peng|zeng|xiao|tian|dong|pan|cai|jiang|du|ye|cheng|wei|lu|ding|ren|shen|qian|xia|fang|jing|wen|xin)$",
    "japanese": r"(?:moto|mura|yama|kawa|gawa|shita|naka|hara|hashi|guchi|tani|shima|saki|zaki|oka|suke|hiro|nabe|"
    r"bayashi|mori|abe|waka)$",
    "korean": r"^(?:kim|park|choi|jung|kang|cho|yoon|jang|lim|han|oh|seo|shin|kwon|hwang|ahn|bae)$",
    "nigerian": r"(?:eze|chukwu|ola|ade|oye|wale|nke|emi|ogu|afor|onkwo|jide|kwu|wosu|are|uebo)$|^(?:ol[ua]"
    r"|ade|chi|oke|nwa)",
    "ghanaian": r"^(?:kw[ae]|ako|ama|osei|boa|men|owu|asa|abe|kof)",
    "kenyan": r"(?:ngi|iku|jiru|mau|thoni|ene|mbo|jeri)$|^(?:ki[bp]|cheb|wan|muth|nju|och|oti|odh)",
    "zulu": r"^(?:nk|dl|nd|mth|th[aeo]|mkh|zul|nt|sip|sib|nom)|(?:wethu|phiwe|nhla|iwe)$",
    "english": r"(?:worth|ington|thorpe|croft|wood|ley|shaw|ham|well|ridge|hurst|more|stone|smith|combe|weather|"
    r"ston|kes|hott|waite|ing|house|port|brook|field|bury|bottom)$",
    "irish": r"^(?:o|mac|ni|nic|ui)-",
}
_GIVEN_ENDINGS = {
    "polish": r"slawa?$|(?:gniew|mierz)$",
    "czech": r"(?:slav|mila|mira)$",
    "russian": r"(?:slav|[iot]mir|iya)$",
    "greek": r"(?:ios|as|os|is|oula)$",
    "japanese": r"(?:ji|suke|taro|hiko|hiro|kazu|nobu|yuki|haru|oshi|umi|iko)$",
    "korean": r"^(?:seo|min|ji|hye|eun|hyun|sung|young|joo|soo)-(?:jun|yeon|ho|hyun|min|ji|jin|woo|hee|young|su|mi|a)$",
    "chinese": r"^(?:xi|zh|qi)|^(?:wei|mei|jing|jian|jun|ming|ling|yan|hong|ping|fang|li|hui|min|lei|bo|hao"
    r"|yu|xin|na)$",
    "indian": r"(?:deep|preet|esh|endra|jit|inder|kumar|rajan|swami|anth?|shmi|ika)$",
    "nigerian": r"^(?:olu|chi|ade|oba|nne|uch|ife|ayo|ngo)|(?:chukwu|nna|wale|tunde|femi|bunmi|lake|emeka)$",
    "zulu": r"(?:phiwe|siwe|mandla|bonga|nele|pho|lani|siphe|diwe|siso|gani)$",
    "arabic": r"^abd|(?:allah|uddin|eddine)$",
    "norwegian": r"(?:bjorn|geir|laug|hild|borg|veig|run|niva)$",
}
GIVEN_PATTERNS = {origin: re.compile(pattern) for origin, pattern in _GIVEN_ENDINGS.items()}
PATTERNS = {origin: re.compile(pattern) for origin, pattern in _ENDINGS.items()}
LETTERS = dict(read_table("letters_of_origins"))
_PARTICLES = {
    r"\bvon\b|\bzu\b|\bvom\b": "german",
    r"\bvan (?:der?|den|het|'t)\b|\bter\b|\bten\b|\bde [Gg]root\b|\bvan\b": "dutch",
    r"\bda\b|\bdos\b|\bdas\b": "portuguese", r"\bde la\b|\bdel\b|[a-z] y [A-Z]": "spanish",
    r"\bdu\b|\b[dD]e La\b": "french",
    r"\b[Dd]i\b|\b[Ll]o\b|\b[Dd]ell[ao]\b": "italian", r"\b[aAeE]l-": "arabic",
    r"\bÓ\b|\bNí\b|\bMac\b|\bO['’][A-Z]": "irish",
    r"\bSt John\b": "english",
    r"\w(?:ovich|evich|owitsch|ewitsch|ovna|evna|owna|ewna)\b": "russian", r"\w(?:yovych|ovych|ivna)\b": "ukrainian",
}  # fmt: skip
MARKS = tuple((re.compile(pattern), origin) for pattern, origin in _PARTICLES.items())
