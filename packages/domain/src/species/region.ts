import { speciesKey } from './species-names.js';

/** Regions in which short bird names have different meanings. */
export const regionNames = ['europe', 'north_america', 'australasia', 'other'] as const;

/** One of {@link regionNames}. */
export type Region = (typeof regionNames)[number];

/**
 * Short English names, and names and pairs from before a split, with the scientific name of their species or family.
 */
const shortNames: Readonly<Record<Region, Readonly<Record<string, string>>>> = {
  europe: {
    'accipiter gentilis': 'Astur gentilis',
    'northern goshawk': 'Astur gentilis',
    avocet: 'Recurvirostra avosetta',
    'barn owl': 'Tyto alba',
    blackbird: 'Turdus merula',
    blackcap: 'Sylvia atricapilla',
    bullfinch: 'Pyrrhula pyrrhula',
    buzzard: 'Buteo buteo',
    chaffinch: 'Fringilla coelebs',
    chough: 'Pyrrhocorax pyrrhocorax',
    coot: 'Fulica atra',
    cormorant: 'Phalacrocorax carbo',
    crane: 'Grus grus',
    crossbill: 'Loxia curvirostra',
    'crested lark': 'Galerida cristata',
    cuckoo: 'Cuculus canorus',
    dipper: 'Cinclus cinclus',
    fulmar: 'Fulmarus glacialis',
    gannet: 'Morus bassanus',
    goldeneye: 'Bucephala clangula',
    goldfinch: 'Carduelis carduelis',
    goshawk: 'Astur gentilis',
    greenfinch: 'Chloris chloris',
    greenshank: 'Tringa nebularia',
    guillemot: 'Uria aalge',
    hawfinch: 'Coccothraustes coccothraustes',
    heron: 'Ardea cinerea',
    'herring gull': 'Larus argentatus',
    hobby: 'Falco subbuteo',
    'honey buzzard': 'Pernis apivorus',
    jackdaw: 'Coloeus monedula',
    jay: 'Garrulus glandarius',
    kestrel: 'Falco tinnunculus',
    kingfisher: 'Alcedo atthis',
    kittiwake: 'Rissa tridactyla',
    knot: 'Calidris canutus',
    lapwing: 'Vanellus vanellus',
    linnet: 'Linaria cannabina',
    magpie: 'Pica pica',
    'marsh harrier': 'Circus aeruginosus',
    moorhen: 'Gallinula chloropus',
    nightingale: 'Luscinia megarhynchos',
    nightjar: 'Caprimulgus europaeus',
    nutcracker: 'Nucifraga caryocatactes',
    nuthatch: 'Sitta europaea',
    oystercatcher: 'Haematopus ostralegus',
    partridge: 'Perdix perdix',
    pheasant: 'Phasianus colchicus',
    pintail: 'Anas acuta',
    pochard: 'Aythya ferina',
    puffin: 'Fratercula arctica',
    quail: 'Coturnix coturnix',
    raven: 'Corvus corax',
    redpoll: 'Acanthis flammea',
    redstart: 'Phoenicurus phoenicurus',
    robin: 'Erithacus rubecula',
    roller: 'Coracias garrulus',
    shoveler: 'Spatula clypeata',
    siskin: 'Spinus spinus',
    skylark: 'Alauda arvensis',
    snipe: 'Gallinago gallinago',
    sparrowhawk: 'Accipiter nisus',
    starling: 'Sturnus vulgaris',
    stonechat: 'Saxicola rubicola',
    swallow: 'Hirundo rustica',
    swift: 'Apus apus',
    teal: 'Anas crecca',
    'tree creeper': 'Certhia familiaris',
    'tree sparrow': 'Passer montanus',
    treecreeper: 'Certhia familiaris',
    turnstone: 'Arenaria interpres',
    waxwing: 'Bombycilla garrulus',
    wheatear: 'Oenanthe oenanthe',
    whitethroat: 'Curruca communis',
    wigeon: 'Mareca penelope',
    woodcock: 'Scolopax rusticola',
    wren: 'Troglodytes troglodytes',
    wryneck: 'Jynx torquilla',
  },
  north_america: {
    'accipiter gentilis': 'Astur atricapillus',
    'northern goshawk': 'Astur atricapillus',
    'barn owl': 'Tyto furcata',
    bittern: 'Botaurus lentiginosus',
    blackbird: 'Icteridae',
    cardinal: 'Cardinalis cardinalis',
    catbird: 'Dumetella carolinensis',
    'common moorhen': 'Gallinula galeata',
    crane: 'Antigone canadensis',
    crow: 'Corvus brachyrhynchos',
    cuckoo: 'Cuculidae',
    curlew: 'Scolopacidae',
    'dendroica petechia': 'Setophaga aestiva',
    'setophaga petechia': 'Setophaga aestiva',
    goldfinch: 'Spinus tristis',
    goshawk: 'Astur atricapillus',
    'herring gull': 'Larus smithsonianus',
    'larus argentatus herring gull': 'Larus smithsonianus',
    kestrel: 'Falco sparverius',
    kingfisher: 'Megaceryle alcyon',
    magpie: 'Pica hudsonia',
    'mew gull': 'Larus brachyrhynchus',
    mockingbird: 'Mimus polyglottos',
    moorhen: 'Gallinula galeata',
    oystercatcher: 'Haematopus palliatus',
    pheasant: 'Phasianus colchicus',
    quail: 'Odontophoridae',
    raven: 'Corvus corax',
    robin: 'Turdus migratorius',
    sparrowhawk: 'Falco sparverius',
    spoonbill: 'Platalea ajaja',
    starling: 'Sturnus vulgaris',
    'tree sparrow': 'Spizelloides arborea',
    'tyto alba barn owl': 'Tyto furcata',
    turkey: 'Meleagris gallopavo',
  },
  australasia: {
    'ardea ibis cattle egret': 'Ardea coromanda',
    'barn owl': 'Tyto javanica',
    'bee eater': 'Merops ornatus',
    'bubulcus ibis cattle egret': 'Ardea coromanda',
    'cattle egret': 'Ardea coromanda',
    chaffinch: 'Fringilla coelebs',
    'common moorhen': 'Gallinula tenebrosa',
    crane: 'Antigone rubicunda',
    cuckoo: 'Cuculidae',
    curlew: 'Scolopacidae',
    galah: 'Eolophus roseicapilla',
    gannet: 'Morus serrator',
    goldfinch: 'Carduelis carduelis',
    goshawk: 'Tachyspiza fasciata',
    greenfinch: 'Chloris chloris',
    kookaburra: 'Dacelo novaeguineae',
    lapwing: 'Vanellus miles',
    magpie: 'Gymnorhina tibicen',
    moorhen: 'Gallinula tenebrosa',
    oystercatcher: 'Haematopodidae',
    quail: 'Phasianidae',
    'reed warbler': 'Acrocephalus australis',
    shag: 'Phalacrocoracidae',
    shelduck: 'Anatidae',
    sparrowhawk: 'Tachyspiza cirrocephala',
    spoonbill: 'Platalea regia',
    starling: 'Sturnus vulgaris',
    'tyto alba barn owl': 'Tyto javanica',
  },
  other: {},
};

/** Names of European birds in the catalogue that mean the birds of {@link shortNames} in other regions. */
const overriddenNames: Readonly<Partial<Record<Region, ReadonlySet<string>>>> = {
  north_america: new Set(
    'bittern,blackbird,common moorhen,crane,cuckoo,curlew,moorhen,oystercatcher,quail,sparrowhawk,spoonbill'.split(
      ',',
    ),
  ),
  australasia: new Set(
    'bee eater,cattle egret,common moorhen,crane,cuckoo,curlew,gannet,lapwing,moorhen,oystercatcher,quail,reed warbler,shag,shelduck,sparrowhawk,spoonbill'.split(
      ',',
    ),
  ),
};

/** Returns whether a name of the catalogue means another bird in a region. */
export function isOtherBirdIn(key: string, region: Region): boolean {
  return overriddenNames[region]?.has(key) ?? false;
}

/** Returns the key of the scientific name that a name means in a region. */
export function regionalKey(key: string, region: Region): string | undefined {
  const names = shortNames[region];
  const name = Object.hasOwn(names, key) ? names[key] : undefined;
  return name === undefined ? undefined : speciesKey(name);
}

/** The location of a hub, as far as the settings contain it. */
export interface Place {
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  /** ISO 3166-1, two letters. */
  readonly country?: string | undefined;
  /** IANA name of the zone. */
  readonly timezone?: string | undefined;
}

/** Guesses the region of a hub by its coordinates, else its country, else its time zone. */
export function guessRegion({ latitude, longitude, country, timezone = '' }: Place): Region {
  const [north, east] = [degreesOf(latitude), degreesOf(longitude)];
  if (north !== undefined && east !== undefined) return regionAt(north, east);
  const code = country?.trim().toUpperCase();
  if (code) return regionOfCountry(code);
  if (/^(?:Europe\/|Atlantic\/(?:Reykjavik|Faroe|Madeira|Canary|Azores)|GB|Eire)/u.test(timezone))
    return 'europe';
  if (/^(?:US\/|Canada\/)/u.test(timezone) || northAmericanZones.test(timezone)) return 'north_america';
  if (/^(?:Australia\/|Pacific\/(?:Auckland|Chatham)|NZ)/u.test(timezone)) return 'australasia';
  return 'other';
}

function degreesOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Approximates regions by boxes, whose edges lie in the sea. */
function regionAt(north: number, east: number): Region {
  if (north >= 34 && north <= 82 && east >= -32 && east <= 60) return 'europe';
  if (north >= 24 && north <= 84 && east >= -170 && east <= -50) return 'north_america';
  if (north >= -55 && north <= -10 && east >= 110 && east <= 180) return 'australasia';
  return 'other';
}

const europeanCountries =
  'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA UK VA XK';

function regionOfCountry(code: string): Region {
  if (europeanCountries.split(' ').includes(code)) return 'europe';
  if (code === 'US' || code === 'CA') return 'north_america';
  return code === 'AU' || code === 'NZ' ? 'australasia' : 'other';
}

const northAmericanZones =
  /^America\/(?:Adak|Anchorage|Boise|Chicago|Denver|Detroit|Edmonton|Glace_Bay|Goose_Bay|Halifax|Indiana\/|Indianapolis|Iqaluit|Juneau|Kentucky\/|Los_Angeles|Menominee|Metlakatla|Moncton|Montreal|New_York|Nome|North_Dakota\/|Phoenix|Regina|Sitka|St_Johns|Thunder_Bay|Toronto|Vancouver|Whitehorse|Winnipeg|Yakutat|Yellowknife)/u;
