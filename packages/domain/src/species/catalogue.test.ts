import { describe, expect, test } from 'vitest';
import { catalogue, parseCatalogue } from './catalogue.js';
import { GENERIC_SPECIES, labelCandidates, normaliseSpeciesName, speciesKey } from './species-names.js';

const { families, species, forms } = catalogue();

/** eBird keeps a code when the bird's name changes; these were made of a name that is gone. */
const namesBehindCodes: Record<string, string> = {
  azwmag3: 'Azure-winged Magpie',
  brnowl: 'Barn Owl',
  clcrob: 'Clay-colored Robin',
  compea: 'Common Peafowl',
  cowscj1: 'Coastal Western Scrub-Jay',
  eaywag1: 'Eastern Yellow Wagtail',
  eurnut3: 'Eurasian Nutcracker',
  grnwoo3: 'Green Woodpecker',
  gyfwoo1: 'Gray-faced Woodpecker',
  mewgul: 'Mew Gull',
  norgos: 'Northern Goshawk',
  norgos1: 'Northern Goshawk',
  norshr1: 'Northern Shrike',
  rerswa8: 'Red-rumped Swallow',
  winwre4: 'Winter Wren',
  wooscj2: 'Woodhouse Scrub-Jay',
};
const countersOnly = /^[xyt]\d{5}$/;

/** Genera that may stand under each family, written apart from the catalogue to catch its typing errors. */
const genera: Readonly<Record<string, string>> = {
  Anatidae:
    'Dendrocygna Anser Branta Cygnus Alopochen Tadorna Cairina Aix Spatula Mareca Anas Netta Aythya Bucephala Lophodytes Mergus Oxyura',
  Odontophoridae: 'Colinus Callipepla',
  Phasianidae: 'Meleagris Bonasa Perdix Alectoris Phasianus Pavo',
  Columbidae: 'Columba Patagioenas Streptopelia Columbina Leptotila Zenaida',
  Cuculidae: 'Cuculus Coccyzus Geococcyx',
  Apodidae: 'Apus Chaetura',
  Trochilidae: 'Archilochus Calypte Selasphorus Cynanthus Eugenes',
  Rallidae: 'Gallinula Fulica',
  Charadriidae: 'Charadrius Vanellus',
  Laridae: 'Larus Chroicocephalus Leucophaeus Ichthyaetus',
  Ciconiidae: 'Ciconia',
  Phalacrocoracidae: 'Phalacrocorax Nannopterum',
  Ardeidae: 'Ardea Egretta Butorides',
  Podicipedidae: 'Podiceps Podilymbus Tachybaptus',
  Cathartidae: 'Cathartes Coragyps',
  Accipitridae: 'Accipiter Astur Buteo Haliaeetus Milvus Parabuteo',
  Tytonidae: 'Tyto',
  Strigidae: 'Aegolius Asio Athene Bubo Glaucidium Megascops Otus Strix',
  Upupidae: 'Upupa',
  Alcedinidae: 'Alcedo Megaceryle',
  Picidae: 'Colaptes Dendrocopos Dendrocoptes Dryobates Dryocopus Jynx Melanerpes Picus Sphyrapicus',
  Falconidae: 'Falco',
  Psittaculidae: 'Psittacula',
  Psittacidae: 'Myiopsitta',
  Tyrannidae: 'Myiarchus Pitangus Pyrocephalus Sayornis Tyrannus',
  Vireonidae: 'Vireo',
  Oriolidae: 'Oriolus',
  Laniidae: 'Lanius',
  Corvidae:
    'Aphelocoma Coloeus Corvus Cyanocitta Cyanopica Garrulus Gymnorhinus Nucifraga Perisoreus Pica Pyrrhocorax',
  Paridae: 'Baeolophus Cyanistes Lophophanes Parus Periparus Poecile',
  Remizidae: 'Auriparus Remiz',
  Alaudidae: 'Alauda Eremophila Galerida',
  Acrocephalidae: 'Hippolais',
  Hirundinidae: 'Cecropis Delichon Hirundo Petrochelidon Progne Riparia Stelgidopteryx Tachycineta',
  Phylloscopidae: 'Phylloscopus',
  Aegithalidae: 'Aegithalos Psaltriparus',
  Sylviidae: 'Curruca Sylvia',
  Regulidae: 'Corthylio Regulus',
  Sittidae: 'Sitta',
  Certhiidae: 'Certhia',
  Polioptilidae: 'Polioptila',
  Troglodytidae: 'Campylorhynchus Thryomanes Thryothorus Troglodytes',
  Cinclidae: 'Cinclus',
  Sturnidae: 'Acridotheres Sturnus',
  Mimidae: 'Dumetella Mimus Toxostoma',
  Turdidae: 'Catharus Hylocichla Ixoreus Myadestes Sialia Turdus',
  Muscicapidae: 'Erithacus Ficedula Luscinia Muscicapa Oenanthe Phoenicurus Saxicola',
  Bombycillidae: 'Bombycilla',
  Ptiliogonatidae: 'Phainopepla',
  Prunellidae: 'Prunella',
  Passeridae: 'Passer',
  Motacillidae: 'Anthus Motacilla',
  Fringillidae:
    'Acanthis Carduelis Carpodacus Chloris Coccothraustes Fringilla Haemorhous Leucosticte Linaria Loxia Pinicola Pyrrhula Serinus Spinus',
  Calcariidae: 'Calcarius Plectrophenax',
  Emberizidae: 'Emberiza',
  Passerellidae:
    'Aimophila Amphispiza Chondestes Junco Melospiza Melozone Passerculus Passerella Pipilo Spizella Spizelloides Zonotrichia',
  Icteridae: 'Agelaius Dolichonyx Euphagus Icterus Molothrus Quiscalus Sturnella Xanthocephalus',
  Parulidae: 'Cardellina Geothlypis Leiothlypis Mniotilta Seiurus Setophaga',
  Cardinalidae: 'Cardinalis Passerina Pheucticus Piranga Spiza',
};

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === part[at]) at += 1;
  return at === part.length;
}

/** Every spelling that seeding gives to one bird or group. */
function spellings(): string[] {
  const all = [
    ...GENERIC_SPECIES.map((name) => [name]),
    ...families.map(({ name, englishName }) => [name, englishName]),
    ...species.map(({ name, scientificName, aliases }) => [name, scientificName, ...aliases]),
    ...forms.map(({ name, scientificName }) => (scientificName ? [name, scientificName] : [name])),
  ];
  return all.flat();
}

describe('parseCatalogue', () => {
  const header = 'rank,name,scientific_name,ebird_code,parent,other_names\n';

  test('quoted values and lines of any system, are read', () => {
    const family = 'family,"Ducks, ""Geese""",Anatidae,,,\r\n';
    const species = 'species,Smew,Mergus albellus,smew,Anatidae,White Nun;Smee Duck\n';
    expect(parseCatalogue(header + family + species)).toEqual({
      families: [{ name: 'Anatidae', englishName: 'Ducks, "Geese"' }],
      species: [
        {
          name: 'Smew',
          scientificName: 'Mergus albellus',
          family: 'Anatidae',
          ebirdCode: 'smew',
          aliases: ['White Nun', 'Smee Duck'],
        },
      ],
      forms: [],
    });
  });

  test('a line of another rank, is refused with its text', () => {
    expect(() => parseCatalogue(`${header}genus,Mergus`)).toThrow('genus,Mergus');
  });
});

describe('catalogue', () => {
  test('its species, counted, are enough for both continents', () => {
    expect(species.length).toBeGreaterThanOrEqual(400);
    expect(forms.length).toBeGreaterThanOrEqual(25);
  });

  test('its spellings, compared by key, each mean one bird', () => {
    expect(repeated(spellings().map(speciesKey))).toEqual([]);
  });

  test('its names, normalised, are what they were', () => {
    expect(spellings().filter((name) => normaliseSpeciesName(name) !== name)).toEqual([]);
  });

  test('its eBird codes, of species and forms, are unique and of the form that eBird gives', () => {
    const codes = [...species, ...forms].flatMap(({ ebirdCode }) => ebirdCode ?? []);
    expect(repeated(codes)).toEqual([]);
    expect(codes.filter((code) => !/^[a-z]{4,7}\d{0,2}$/.test(code) && !countersOnly.test(code))).toEqual([]);
  });

  test('its eBird codes, letter by letter, stand in the name that they were made of', () => {
    const strange = species.filter(({ name, aliases, ebirdCode }) => {
      const letters = ebirdCode.replace(/\d+$/, '');
      const origins = [namesBehindCodes[ebirdCode] ?? name, ...aliases];
      return (
        !countersOnly.test(ebirdCode) &&
        !origins.some(
          (origin) => isSubsequence(letters, origin.toLowerCase()) && letters[0] === origin.toLowerCase()[0],
        )
      );
    });
    expect(strange).toEqual([]);
  });

  test('its scientific names, by their form, are a genus and an epithet, and three words for forms', () => {
    expect(species.filter(({ scientificName }) => !/^[A-Z][a-z]+ [a-z]+$/.test(scientificName))).toEqual([]);
    expect(
      forms.filter(({ scientificName = 'A b c' }) => !/^[A-Z][a-z]* [a-z]+ [a-z]+$/.test(scientificName)),
    ).toEqual([]);
  });

  test('its English names, by their form, are capitalised words', () => {
    const word = "[A-Z][a-z]+(?:'s)?(?:-(?:and-)?[A-Za-z][a-z]+)*(?:'s)?";
    const form = new RegExp(`^${word}(?: ${word})*$`);
    expect([...species, ...forms].filter(({ name }) => !form.test(name))).toEqual([]);
  });

  test('its forms, each, stand below a species and share its scientific name', () => {
    const speciesByName = new Map(species.map((row) => [row.name, row]));
    for (const { name, parent, scientificName } of forms) {
      const row = speciesByName.get(parent);
      expect(row, name).toBeDefined();
      if (scientificName) expect(scientificName.startsWith(`${row?.scientificName} `), name).toBe(true);
    }
  });

  test('a label of a form, by its candidates, meets the form before the species', () => {
    const known = new Map([...species, ...forms].map(({ name }) => [speciesKey(name), name]));
    const found = (label: string) =>
      labelCandidates(label)
        .map((key) => known.get(key))
        .find(Boolean);
    expect(found('Dark-eyed Junco (Slate-colored)')).toBe('Slate-colored Junco');
    expect(found("Setophaga coronata_Yellow-rumped Warbler (Audubon's)")).toBe("Audubon's Warbler");
    expect(found('Northern Flicker (Red-shafted)')).toBe('Red-shafted Flicker');
    expect(found('Dark-eyed Junco (Female)')).toBe('Dark-eyed Junco');
  });

  test('its families, each, have species and genera, and its species no other family', () => {
    const names = families.map(({ name }) => name);
    expect([...new Set(species.map(({ family }) => family))]).toEqual(names);
    expect(Object.keys(genera)).toEqual(names);
  });

  test.each(families)('its family $name, has the genera of a list written apart and no other', ({ name }) => {
    const found = species
      .filter(({ family }) => family === name)
      .map((row) => row.scientificName.split(' ')[0]);
    expect([...new Set(found)].sort()).toEqual(genera[name]?.split(' ').sort());
  });
});
