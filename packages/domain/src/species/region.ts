import { speciesKey } from './species-names.js';

/** Parts of the world in which short names of birds have a meaning of their own. */
export const REGIONS = ['europe', 'north_america', 'australasia', 'other'] as const;

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number];

/** Short English names, and names of before a split. */
const shortNames: Readonly<Record<Region, Readonly<Record<string, string>>>> = {
  europe: {
    'accipiter gentilis': 'Astur gentilis',
    'northern goshawk': 'Astur gentilis',
    'barn owl': 'Tyto alba',
    blackcap: 'Sylvia atricapilla',
    bullfinch: 'Pyrrhula pyrrhula',
    buzzard: 'Buteo buteo',
    chaffinch: 'Fringilla coelebs',
    coot: 'Fulica atra',
    cormorant: 'Phalacrocorax carbo',
    crane: 'Grus grus',
    crossbill: 'Loxia curvirostra',
    cuckoo: 'Cuculus canorus',
    dipper: 'Cinclus cinclus',
    goldfinch: 'Carduelis carduelis',
    greenfinch: 'Chloris chloris',
    hawfinch: 'Coccothraustes coccothraustes',
    'herring gull': 'Larus argentatus',
    jackdaw: 'Coloeus monedula',
    jay: 'Garrulus glandarius',
    kestrel: 'Falco tinnunculus',
    kingfisher: 'Alcedo atthis',
    lapwing: 'Vanellus vanellus',
    linnet: 'Linaria cannabina',
    magpie: 'Pica pica',
    moorhen: 'Gallinula chloropus',
    nuthatch: 'Sitta europaea',
    pheasant: 'Phasianus colchicus',
    quail: 'Coturnix coturnix',
    raven: 'Corvus corax',
    redstart: 'Phoenicurus phoenicurus',
    robin: 'Erithacus rubecula',
    siskin: 'Spinus spinus',
    skylark: 'Alauda arvensis',
    sparrowhawk: 'Accipiter nisus',
    starling: 'Sturnus vulgaris',
    swallow: 'Hirundo rustica',
    swift: 'Apus apus',
    treecreeper: 'Certhia familiaris',
    wheatear: 'Oenanthe oenanthe',
    whitethroat: 'Curruca communis',
    wren: 'Troglodytes troglodytes',
    wryneck: 'Jynx torquilla',
  },
  north_america: {
    'accipiter gentilis': 'Astur atricapillus',
    'northern goshawk': 'Astur atricapillus',
    'barn owl': 'Tyto furcata',
    cardinal: 'Cardinalis cardinalis',
    catbird: 'Dumetella carolinensis',
    crow: 'Corvus brachyrhynchos',
    goldfinch: 'Spinus tristis',
    'herring gull': 'Larus smithsonianus',
    kestrel: 'Falco sparverius',
    kingfisher: 'Megaceryle alcyon',
    magpie: 'Pica hudsonia',
    mockingbird: 'Mimus polyglottos',
    pheasant: 'Phasianus colchicus',
    raven: 'Corvus corax',
    robin: 'Turdus migratorius',
    starling: 'Sturnus vulgaris',
    turkey: 'Meleagris gallopavo',
  },
  australasia: {
    'barn owl': 'Tyto javanica',
    galah: 'Eolophus roseicapilla',
    kookaburra: 'Dacelo novaeguineae',
    magpie: 'Gymnorhina tibicen',
    starling: 'Sturnus vulgaris',
  },
  other: {},
};

/** Returns the key of the scientific name that a name means in a region. */
export function regionalKey(key: string, region: Region): string | undefined {
  const names = shortNames[region];
  const name = Object.hasOwn(names, key) ? names[key] : undefined;
  return name === undefined ? undefined : speciesKey(name);
}

/** Where a hub is, as far as its settings say. */
export interface Place {
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  /** ISO 3166-1, two letters. */
  readonly country?: string | undefined;
  /** IANA name of the zone. */
  readonly timezone?: string | undefined;
}

/** Returns the region that a hub seems to be in: by its coordinates, else its country, else its zone. */
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

/** Boxes; the sea between the parts of the world leaves room for rough edges. */
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
