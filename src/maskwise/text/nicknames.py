"""Short forms of given names, by which friends and families call people: "Liz" for Elizabeth, "Kuba" for Jakub.

Folded, for each formal name. A short form of several names joins a person only where one of them is in the text.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

_ENGLISH = """
robert: bob rob bobby robbie bert; william: bill will billy liam willie; richard: dick rick richie; james: jim jimmy
jamie; john: jack johnny jackie; michael: mike mick mickey micky; thomas: tom tommy; edward: ed eddie ted ned teddy;
anthony: tony ant; joseph: joe joey; samuel: sam sammy; daniel: dan danny; charles: charlie chuck; andrew: andy drew;
david: dave davy; elizabeth: liz beth betty lizzie eliza lisa libby bess betsy liza; margaret: maggie peggy meg madge
rita; katherine: kate kathy katie kitty kat; susan: sue susie suzie; catherine: cathy kate katie cath; kathryn: kate
kathy; kathleen: kath kathy; rebecca: becky becca bex; jennifer: jenny jen jenn; patricia: pat patty trish tricia;
patrick: pat paddy; christine: chris chrissie tina; christopher: chris kit topher; christina: tina chris chrissy;
nicholas: nick nicky; nicola: nicky nic; stephen: steve; steven: steve; stephanie: steph; matthew: matt matty; peter:
pete; alexander: alex sasha sandy alec xander alexis; alexandra: alex sandra sasha lexi; alexandre: alex; deborah:
debbie deb debs; barbara: barb babs barbie; dorothy: dot dottie dolly; kenneth: ken kenny; ronald: ron ronnie;
russell: russ; gregory: greg; jeffrey: jeff; geoffrey: geoff; timothy: tim timmy; philip: phil pip; phillip: phil;
philippa: pippa pip; donald: don donny; douglas: doug; raymond: ray; leonard: len lenny leo; leopold: leo poldi;
frederick: fred freddie freddy; benjamin: ben benny benji; jonathan: jon jonny; nathaniel: nate nat nathan; nathan:
nate; vincent: vince vinny; victoria: vicky vicki tori vic; jacqueline: jackie; abigail: abby abbie gail; samantha:
sam sammy; theodore: ted theo teddy; harold: harry hal; henry: harry hank hal; henrietta: hetty etta hattie; lawrence:
larry laurie; laurence: larry laurie; gerald: gerry jerry; gerard: gerry; terence: terry; theresa: terry tess tessa;
albert: bert al bertie; alfred: alf alfie fred; joshua: josh; josephine: jo josie fifi; joanna: jo; joanne: jo;
zachary: zach zack; amanda: mandy; pamela: pam; sandra: sandy; judith: judy; frances: fran frankie fanny; francis:
frank; isabella: bella izzy isa; isabel: izzy bel; rosalind: roz ros rosie; rosemary: rosie romy; winifred: winnie
freda; bartholomew: bart barty; eugene: gene; calvin: cal; beatrice: bea trixie bee; gwendolyn: gwen wendy; araminta:
minty; wilhelmina: mina billie minnie; eleanor: nell ellie nora; helen: nell; penelope: penny; florence: flo florrie;
martha: mattie; matilda: tilly mattie; mary: molly polly mae; maryanne: annie; anne: annie nan nancy; ann: annie;
hannah: hanny; walter: walt wally; arthur: art artie; oliver: ollie noll; oscar: ozzie; archibald: archie; reginald:
reg reggie; rupert: rupe; sebastian: seb bastian basti; maximilian: max; maxwell: max; malcolm: mal; melanie: mel;
melissa: mel missy; cynthia: cindy; lucinda: lucy cindy; louise: lou lulu; louis: lou louie; lucille: lucy; veronica:
ronnie vera; virginia: ginny ginger; valerie: val; caroline: carrie caro; charlotte: lottie charlie char; emily: em
emmy; emma: em emmy; georgina: georgie gina; jessica: jess jessie; lydia: liddy; millicent: millie; mildred: millie;
natalie: nat; olivia: liv livvy; priscilla: cilla; sarah: sally sadie; sara: sally; susannah: susie sukie; sylvia:
syl; ursula: ulla uschi ursel; yvonne: vonnie; clifford: cliff; clement: clem; crispin: cris; desmond: des; dominic:
dom nic; edmund: ed ned; edgar: ed; ernest: ernie; gabriel: gabe; gabrielle: gabby; gilbert: gil bert; herbert: herb
bert; hugh: hughie; isaac: ike zac; jacob: jake; jeremiah: jerry; jeremy: jem jez; jerome: jerry; julian: jules;
justin: jus; lewis: lew; martin: marty; maurice: mo; nigel: nige; norman: norm; percival: percy; randolph: randy;
roderick: rod roddy; rodney: rod; roland: roly; rosemarie: rosie; sidney: sid; simon: si; solomon: sol; stanley: stan;
stuart: stu; sylvester: sly; tobias: toby; tyrone: ty; wesley: wes; wilfred: wilf; eric: rick
"""
_SLAVIC = """
jakub: kuba kubus; magdalena: magda madzia lena magdi; aleksandra: ola olka olenka sasha sanya; aleksander: olek alek
sasha; agnieszka: aga agusia; stanislaw: staszek stas; barbara: basia baska bara; wojciech: wojtek; katarzyna: kasia
kaska; tomasz: tomek; malgorzata: gosia malgosia; bartosz: bartek; bartlomiej: bartek; piotr: piotrek; pawel: pawelek;
krzysztof: krzysiek krzys; anna: ania anka hania anya aneta anusia anicka; joanna: asia joasia; jan: janek jas jasiu
honza jenda; janusz: januszek; jerzy: jurek; jozef: jozek juzek; andrzej: jedrek andrzejek; grzegorz: grzes grzesiek;
henryk: heniek; kazimierz: kazik kazek; zbigniew: zbyszek zbys; zdzislaw: zdzisiek zdzich; tadeusz: tadek tadzio;
ryszard: rysiek rysio; michal: michalek misiek; maciej: maciek; mateusz: mati; marcin: marcinek; lukasz: lukaszek;
leszek: lesio; wladyslaw: wladek; waclaw: wacek; boleslaw: bolek; boguslaw: bogus; miroslaw: mirek; jaroslaw: jarek;
jaroslav: jarda; slawomir: slawek; dariusz: darek; mariusz: mariuszek; radoslaw: radek; przemyslaw: przemek; dominik:
domin; kamila: kamilka; karolina: karola; elzbieta: ela elka; ewa: ewka ewunia; zofia: zosia zoska; maria: marysia
maryska masha mashka mariechen mimi marisa; helena: hela lena helenka; halina: hala halinka; irena: irka; jadwiga:
jadzia; justyna: justa; krystyna: krysia; stanislawa: stasia; teresa: tereska terenia tere; urszula: ula urszulka;
weronika: wera; wanda: wandzia; zuzanna: zuza zuzia; natalia: natka natasha nata tala; dorota: dorotka; beata: beatka;
monika: monia; alicja: ala; gabriela: gabi gabrysia; emilia: emilka mila; eugenia: gienia zhenya; franciszek: franek;
antoni: antek; ignacy: ignas; katerina: katka kacka kaca katya kata rina; jiri: jirka jura; frantisek: franta fanda;
vaclav: vasek vena; zdenek: zdena; josef: pepa pepik jupp sepp; karel: karlik kaja; ladislav: lada; miroslav: mirek;
stanislav: standa stas slava; tomas: tomik tomasek; petr: petya peta; pavel: pasha pavlik; martina: marta; zuzana:
zuzka; veronika: verka nika; lucie: lucka; alzbeta: betka; ekaterina: katya katia katyusha; yekaterina: katya;
kateryna: katya; mikhail: misha mishka; anastasia: nastya asya stasia; anastasiya: nastya; dmitri: dima mitya; dmitry:
dima mitya; dmitriy: dima; dmytro: dima; lyudmila: lyuda mila lusya; ludmila: lida mila; sergei: seryozha serezha
seriozha; sergey: seryozha serezha; aleksandr: sasha shura sanya; aleksei: alyosha lyosha lesha; aleksey: alyosha
lyosha; alexei: alyosha lyosha; alexey: alyosha; volodymyr: vova volodya; vladimir: vova volodya vlado; yevgeny:
zhenya; evgeny: zhenya; evgenia: zhenya; yevgenia: zhenya; ivan: vanya ivica ivo; nikolai: kolya; nikolay: kolya;
boris: borya; grigory: grisha; konstantin: kostya; leonid: lyonya; yuri: yura; yury: yura; viktor: vitya; viktoria:
vika; tatiana: tanya; tatyana: tanya; olga: olya; elena: lena alyona lenuta leni; yelena: lena; irina: ira irisha;
galina: galya; larisa: lara; nadezhda: nadya; natalya: natasha; oksana: ksenia ksyusha; svetlana: sveta lana;
valentina: valya vale; vera: verochka; yulia: yulya; zinaida: zina; vasily: vasya; vyacheslav: slava; yaroslav: yarik
slava; anatoly: tolya; maksim: max; oleksandr: sashko sasha; oleksandra: lesya sasha; mykhailo: misha; mykola: kolya;
andriy: andriyko; andrei: andryusha; desislava: desi; georgi: gosho zhoro; dimitar: mitko; todor: tosho; hristo: itso;
stoyan: stoycho; aleksandar: aca aco sasa ale; jelena: jeca lena; slobodan: boban; dragan: gagi; milan: mile; nikola:
nidzo; zoran: zoki; marijana: mara; josip: joza jole; stjepan: stipe; tomislav: tomo; ante: toni; petar: pero; janez:
janko jani
"""
_GERMANIC = """
johannes: hannes hans jo johnny; friedrich: fritz friedel fiete; hannelore: hanne lore; wilhelmine: minna mina willa;
wilhelm: willi willy helm; charlotte: lotte lotti; maximilian: maxl maxi; friederike: rike rikchen fritzi; elisabeth:
lisa liesel lisbeth else elsbeth bettina sissi lis lisbet; margarete: grete gretel gretchen marga; margareta: greta
gretel; margarethe: grete; katharina: kathi kathe katrin; heinrich: heini heinz; ludwig: lutz wiggerl; josef: jupp
sepp; georg: schorsch jorg; michael: michi; andreas: andi andy anders; thomas: tommi; matthias: matze; christian:
chris kris; christiane: chris; sebastian: basti; alexander: lexi; alexandra: lexa; wolfgang: wolf wolfi; dietrich:
dieter; eberhard: ebbe; gerhard: gerd; gertrud: trude gerti; hildegard: hilde; ingeborg: inge; irmgard: irmi;
karl-heinz: kalle heinz; konrad: conny; manfred: manni; reinhard: reini; rosemarie: rosi; siegfried: sigi; susanne:
susi sanne; theresia: resi; ulrich: uli; ulrike: uli rike; waltraud: traudl; walter: walti; angelika: geli; antonia:
toni; anton: toni; benjamin: benni; brigitte: gitte biggi; dorothea: dora thea dorle; eleonore: lore; emma: emmi;
franziska: franzi; franz: franzl; gabriele: gabi; jurgen: jogi; magdalene: leni magda; marianne: nanne; stefan: steff;
stefanie: steffi; tobias: tobi; valentin: vali; veronika: vroni; viktoria: vicky; willem: wim pim; cornelis: kees cor;
johannes: jan joop; gerrit: ger; hendrik: henk rik; jacobus: koos jaap; nicolaas: klaas nico; petrus: piet peter;
pieter: piet; theodorus: theo dirk; adrianus: arie; antonius: ton toon; bernardus: ben; franciscus: frans; leonardus:
leo leen; cornelia: cor corrie; elizabeth: els liesbeth; godelieve: lieve; johanna: hanneke jo joke hanna; margaretha:
greet griet; maria: mia rie mieke; wilhelmina: mien willemijn; catharina: toos trijn; kristian: kris; kristoffer: kris
toffen; magnus: mange; margit: maggen; marit: mait; mikael: micke; fredrik: fredde; lars: lasse; bengt: benke; bertil:
berra; gunnar: gunne; karl: kalle; kristina: stina kicki kiki; birgitta: gittan; katarina: kattis kajsa; johan: jocke;
jorgen: jorn; nils: nisse; per: pelle; sven: svenne; thorbjorn: tobben; ingrid: inga; johanne: hanne; sofie: fie;
sofia: fia sofi
"""
_SOUTHERN = """
francisco: paco pancho curro fran quico; jose: pepe chepe; jose-luis: pepe; maria-jose: pepa majo; josefa: pepa fina;
ignacio: nacho; dolores: lola loli; concepcion: concha conchita; inmaculada: inma; guadalupe: lupe lupita; alejandro:
alex ale jandro; alejandra: ale; antonio: toni tono nino ; antonia: tona toni; consuelo: chelo; eduardo: edu lalo;
enrique: quique kike; federico: fede lico; fernando: nando fer; fernanda: nanda fer; gregorio: goyo; gonzalo: gonza
chalo; guillermo: guille memo; isabel: isa bel chabela; jesus: chus chuy; joaquin: quino; jorge: coque; juan: juancho;
luis: lucho luisito; manuel: manolo manu; manuela: manoli; mercedes: merche meche; miguel: migue; montserrat: montse;
pilar: pili; rafael: rafa; ramon: moncho; ricardo: ricky; roberto: beto; rosario: charo; salvador: salva; santiago:
santi yago; sebastian: sebas; soledad: sole; teresa: tere maite; vicente: chente; beatriz: bea bia; cristina: cris
tina; joao: joaozinho jota; goncalo: gonca; antonio: tonho; jose: ze zeca; maria: mariazinha; francisco: chico; luisa:
lu; teresa: tete; eduardo: dudu; ricardo: rico; giuseppe: beppe peppe pino; giuseppina: pina pinuccia giusy;
salvatore: toto turi salvo; lorenzo: renzo lollo; annunziata: nunzia; francesco: franco cecco ciccio; francesca:
franca cesca; giovanni: gianni nanni vanni; giovanna: gianna vanna; vincenzo: enzo cenzo; luigi: gigi gino;
alessandro: sandro ale; alessandra: sandra ale; domenico: mimmo nico; domenica: mimma; antonietta: nietta; bartolomeo:
meo; concetta: tina cettina; eleonora: nora; elisabetta: betta lisa; filippo: pippo; gabriele: lele; gaetano: tano;
leonardo: leo nardo; margherita: rita marghe; michele: lino; nicola: nico cola; pasquale: lino; raffaele: lello;
rosaria: sara; stefano: stefo; tommaso: maso; ruggero: ruggi; sebastien: seb bastien; marguerite: margot margaux
guite; dominique: domi; frederic: fred; philippe: phil; catherine: cathy cath; alexandre: alex; alexandra: alex;
stephane: steph; elisabeth: babette babeth; genevieve: ginette viviane; guillaume: guigui; jacques: jacquot; jean:
jeannot; laurent: lolo; nathalie: nath; nicolas: nico; veronique: vero; nikolaos: nikos niko; ioannis: yannis giannis
yiannis; konstantinos: kostas dinos; konstantina: dina; dimitrios: dimitris mitsos; dimitra: mimi; georgios: giorgos
yorgos; eleni: lena nitsa; athanasios: thanasis sakis; panagiotis: panos takis; vasileios: vasilis; vasiliki: vaso;
evangelos: vangelis; evangelia: litsa; anastasios: tasos; anastasia: tasoula natasa; aikaterini: katerina; christos:
chris; emmanouil: manolis; spyridon: spyros; stylianos: stelios; theodoros: thodoris; paraskevi: vivi voula; despina:
despo; ilie: ilica; gheorghe: gica ghita; elena: lenuta ilinca; ioana: oana; ion: ionel nelu; mihai: misu; nicolae:
nicu; vasile: vasilica
"""
_OTHERS = """
laszlo: laci; ferenc: feri; erzsebet: bozsi erzsi zsoka; istvan: pista isti; jozsef: joska jozsi; janos: jancsi;
sandor: sanyi; katalin: kati kata; ilona: ili ica ilonka; gyorgy: gyuri; gabor: gabi; zoltan: zoli; miklos: miki;
mihaly: misi; maria: mari mariska; margit: manci; julianna: juli julcsi; judit: jutka; zsuzsanna: zsuzsa zsuzsi;
andras: bandi andris; tamas: tomi; attila: ati; peter: peti petike; aleksi: ale; johannes: jussi; juhani: jussi;
antti: anttu; kaarina: kaisu; elisabet: liisa; rajesh: raj raju; subramanian: subbu mani; harpreet: harry happy;
lakshmi: laksh; venkatesh: venky; krishnan: krish; oluwaseun: seun; oluwatobi: tobi; oluwatobiloba: tobi; babatunde:
tunde; adekunle: kunle; oluwafemi: femi; adebayo: bayo; chukwuemeka: emeka; chidinma: chidi dinma; ngozichukwuka:
ngozi; abdulrahman: abdul; thandiwe: thandi; nomvula: vula; sibusiso: sbu; muhammad: mo; mohammed: mo; mohamed: mo;
mustafa: musti; fatma: fatos; ibrahim: ibo; mehmet: memo memet; suleyman: sulo; huseyin: huso; emine: emos;
abdirahman: abdi; eitan: tani; avraham: avi; yitzhak: itzik; yosef: yossi; moshe: moishe; shmuel: shmulik; david:
dudi; seamus: shay; siobhan: shiv; padraig: paudie paddy; margaret: mairead
"""


@cache
def _load_pairs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The formal names of each short form, and the short forms of each formal name."""
    formal: dict[str, list[str]] = defaultdict(list)
    short: dict[str, list[str]] = defaultdict(list)
    for table in (_ENGLISH, _SLAVIC, _GERMANIC, _SOUTHERN, _OTHERS):
        for entry in table.split(";"):
            long, _, forms = entry.partition(":")
            for form in forms.split():
                formal[form].append(long.strip())
                short[long.strip()].append(form)
    return (
        {name: tuple(dict.fromkeys(found)) for name, found in formal.items()},
        {name: tuple(dict.fromkeys(found)) for name, found in short.items()},
    )


def list_formal(name: str) -> tuple[str, ...]:
    """The formal names of a short one, folded.

    >>> list_formal("kuba"), list_formal("robert")
    (('jakub',), ())
    """
    return _load_pairs()[0].get(name, ())


def list_short(name: str) -> tuple[str, ...]:
    """The short forms of a formal name, folded."""
    return _load_pairs()[1].get(name, ())


def list_kindred(name: str) -> tuple[str, ...]:
    """The formal names of a short one, folded, and the short ones of a formal one.

    >>> list_kindred("debs"), list_kindred("susan")
    (('deborah',), ('sue', 'susie', 'suzie'))
    """
    formal, short = _load_pairs()
    return (*formal.get(name, ()), *short.get(name, ()))
