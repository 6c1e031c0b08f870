import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignLabels } from './assign-labels.js';
import { catalogue } from './catalogue.js';
import { indexChecklists } from './checklist.store.js';
import { findLabel } from './find-label.js';
import { readLabel } from './labels.js';
import type { Region } from './region.js';
import { MemoryNames } from './testing/memory-names.js';

const base = MemoryNames.ofCatalogue(catalogue(), 'other');
const names = (region: Region = 'other') =>
  region === 'other' ? base.copy() : MemoryNames.ofCatalogue(catalogue(), region);

/** Returns the scientific name that a label leads to; for a form, that of its species. */
function meaning(label: string, known = names()): string | undefined {
  const found = findLabel(readLabel(label), known);
  return found && known.scientificNameOf(found.id);
}

/** The scientific name of a bird, then labels of it from different models. */
const families: readonly (readonly [string, ...string[]])[] = [
  // Pairs of BirdNET, BirdNET-Pi, BirdNET-Go, with indices and languages.
  [
    'Parus major',
    'Parus major_Great Tit',
    'Parus_major',
    'parus major',
    'Great Tit',
    'great_tit',
    'GREAT TIT',
    'Parus major_Kohlmeise',
    'Parus major_Большая синица',
  ],
  [
    'Turdus merula',
    'Turdus merula_Eurasian Blackbird',
    'Eurasian Blackbird',
    'Common Blackbird',
    'Turdus merula_Amsel',
    'Turdus merula (Common Blackbird)',
    'Turdus merula_Merle noir',
  ],
  [
    'Erithacus rubecula',
    'Erithacus rubecula_European Robin',
    'European Robin',
    'European_Robin',
    'Erithacus rubecula_Rotkehlchen',
    '23 Erithacus rubecula (European Robin)',
  ],
  [
    'Passer domesticus',
    'Passer domesticus_House Sparrow',
    'House Sparrow',
    'House Sparrow (Male)',
    'house_sparrow_female',
    'Passer domesticus (House Sparrow)',
    '118.House_Sparrow',
    'Passer domesticus_Haussperling',
    'Sparrow, House',
  ],
  [
    'Passer montanus',
    'Passer montanus_Eurasian Tree Sparrow',
    'Eurasian Tree Sparrow',
    'Eurasian Tree-Sparrow',
  ],
  [
    'Cyanistes caeruleus',
    'Cyanistes caeruleus_Eurasian Blue Tit',
    'Eurasian Blue Tit',
    'Parus caeruleus',
    'Parus caeruleus (Blue Tit)',
    'Cyanistes caeruleus caeruleus',
  ],
  ['Periparus ater', 'Periparus ater_Coal Tit', 'Coal Tit', 'Parus ater', 'coal-tit'],
  ['Poecile palustris', 'Poecile palustris_Marsh Tit', 'Marsh Tit', 'Parus palustris'],
  ['Lophophanes cristatus', 'Lophophanes cristatus_Crested Tit', 'Parus cristatus'],
  ['Sitta europaea', 'Sitta europaea_Eurasian Nuthatch', 'Eurasian Nuthatch', 'Sitta europaea europaea'],
  ['Fringilla coelebs', 'Fringilla coelebs_Common Chaffinch', 'Common Chaffinch', 'Fringilla coelebs'],
  [
    'Fringilla montifringilla',
    'Fringilla montifringilla_Brambling',
    'Brambling',
    'n01530575 brambling, Fringilla montifringilla',
    'brambling, Fringilla montifringilla',
  ],
  [
    'Chloris chloris',
    'Chloris chloris_European Greenfinch',
    'European Greenfinch',
    'Carduelis chloris',
    'Carduelis chloris_Greenfinch',
  ],
  [
    'Carduelis carduelis',
    'Carduelis carduelis_European Goldfinch',
    'European Goldfinch',
    'Carduelis carduelis (European Goldfinch)',
  ],
  ['Spinus spinus', 'Spinus spinus_Eurasian Siskin', 'Eurasian Siskin', 'Carduelis spinus'],
  [
    'Pyrrhula pyrrhula',
    'Pyrrhula pyrrhula_Eurasian Bullfinch',
    'Eurasian Bullfinch',
    'Eurasian Bullfinch (Female)',
    'Bullfinch',
  ],
  [
    'Sturnus vulgaris',
    'Sturnus vulgaris_European Starling',
    'European Starling',
    'European Starling (Juvenile)',
    'Sturnus vulgaris (European Starling)',
    'Sturnus vulgaris_Star',
  ],
  [
    'Columba palumbus',
    'Columba palumbus_Common Wood-Pigeon',
    'Common Wood-Pigeon',
    'Common Wood Pigeon',
    'Columba palumbus_Ringeltaube',
  ],
  [
    'Streptopelia decaocto',
    'Streptopelia decaocto_Eurasian Collared-Dove',
    'Eurasian Collared-Dove',
    'Eurasian Collared Dove',
    'eurasian_collared_dove',
  ],
  ['Columba livia', 'Columba livia_Rock Pigeon', 'Rock Pigeon', 'Columba livia (Rock Pigeon)'],
  [
    'Dendrocopos major',
    'Dendrocopos major_Great Spotted Woodpecker',
    'Great Spotted Woodpecker',
    'Great spotted woodpecker',
    'great_spotted_woodpecker',
    'Dendrocopos major major',
  ],
  [
    'Dryobates minor',
    'Dryobates minor_Lesser Spotted Woodpecker',
    'Dendrocopos minor',
    'Lesser Spotted Woodpecker',
  ],
  ['Picus viridis', 'Picus viridis_Eurasian Green Woodpecker', 'Picus viridis'],
  [
    'Garrulus glandarius',
    'Garrulus glandarius_Eurasian Jay',
    'Eurasian Jay',
    'Garrulus glandarius_Eichelhäher',
  ],
  ['Pica pica', 'Pica pica_Eurasian Magpie', 'Eurasian Magpie', 'Pica pica_Elster'],
  [
    'Corvus monedula',
    'Corvus monedula_Eurasian Jackdaw',
    'Coloeus monedula',
    'Coloeus monedula_Eurasian Jackdaw',
    'Eurasian Jackdaw',
  ],
  ['Corvus corax', 'Corvus corax_Common Raven', 'Common Raven', 'Corvus corax principalis'],
  ['Accipiter nisus', 'Accipiter nisus_Eurasian Sparrowhawk', 'Eurasian Sparrowhawk'],
  [
    'Astur cooperii',
    "Accipiter cooperii_Cooper's Hawk",
    "Cooper's Hawk",
    'Coopers Hawk',
    'Cooper’s Hawk',
    "Cooper's Hawk (Adult)",
    'Accipiter cooperii',
  ],
  ['Sylvia atricapilla', 'Sylvia atricapilla_Eurasian Blackcap', 'Eurasian Blackcap', 'Blackcap'],
  ['Troglodytes troglodytes', 'Troglodytes troglodytes_Eurasian Wren', 'Eurasian Wren'],
  ['Prunella modularis', 'Prunella modularis_Dunnock', 'Dunnock', 'dunnock'],
  ['Motacilla alba', 'Motacilla alba_White Wagtail', 'White Wagtail', 'Motacilla alba alba'],
  ['Turdus philomelos', 'Turdus philomelos_Song Thrush', 'Song Thrush'],
  // North America: NABirds, Merlin, the common image classifier, CUB-200.
  [
    'Cardinalis cardinalis',
    'Northern Cardinal (Adult Male)',
    'Northern Cardinal (Female/immature)',
    'Northern Cardinal',
    'Cardinalis cardinalis (Northern Cardinal)',
    '017.Northern_Cardinal',
    'northern_cardinal_male',
    'Cardinalis cardinalis_Northern Cardinal (Female)',
  ],
  [
    'Haemorhous mexicanus',
    'House Finch (Adult Male)',
    'House Finch (Female/immature)',
    'Haemorhous mexicanus (House Finch)',
    'Carpodacus mexicanus',
    'house finch, linnet, Carpodacus mexicanus',
    'House Finch',
  ],
  [
    'Haemorhous purpureus',
    'Purple Finch (Adult Male)',
    'Purple Finch',
    'Carpodacus purpureus',
    '035.Purple_Finch',
  ],
  [
    'Spinus tristis',
    'American Goldfinch (Breeding Male)',
    'American Goldfinch (Female/Nonbreeding Male)',
    'american_goldfinch',
    'Carduelis tristis',
    '047.American_Goldfinch',
    'Spinus tristis (American Goldfinch)',
  ],
  ['Spinus pinus', 'Pine Siskin', 'Carduelis pinus', 'Spinus pinus_Pine Siskin'],
  [
    'Junco hyemalis',
    'Dark-eyed Junco (Slate-colored)',
    'Dark-eyed Junco (Oregon)',
    'Dark-eyed Junco',
    'n01534433 Junco hyemalis',
    'Junco hyemalis (Dark-eyed Junco)',
    'Junco hyemalis_Dark-eyed Junco (Slate-colored)',
    '067.Dark_eyed_Junco',
  ],
  [
    'Poecile atricapillus',
    'Black-capped Chickadee',
    'Poecile atricapillus (Black-capped Chickadee)',
    'Parus atricapillus',
    'black_capped_chickadee',
  ],
  [
    'Poecile carolinensis',
    'Carolina Chickadee',
    'Poecile carolinensis_Carolina Chickadee',
    'Parus carolinensis',
  ],
  [
    'Baeolophus bicolor',
    'Tufted Titmouse',
    'Baeolophus bicolor (Tufted Titmouse)',
    'Parus bicolor',
    'Titmouse, Tufted',
  ],
  ['Sitta carolinensis', 'White-breasted Nuthatch', 'white-breasted_nuthatch', '094.White_breasted_Nuthatch'],
  ['Cyanocitta cristata', 'Blue Jay', 'Cyanocitta cristata (Blue Jay)', '073.Blue_Jay', 'Jay, Blue'],
  ['Cyanocitta stelleri', "Steller's Jay", 'Stellers Jay', "Cyanocitta stelleri (Steller's Jay)"],
  [
    'Dryobates pubescens',
    'Downy Woodpecker',
    'Picoides pubescens',
    'Picoides pubescens (Downy Woodpecker)',
    'Dryobates pubescens_Downy Woodpecker',
    'downy_woodpecker_male',
    '192.Downy_Woodpecker',
  ],
  [
    'Melanerpes carolinus',
    'Red-bellied Woodpecker',
    'Melanerpes carolinus (Red-bellied Woodpecker)',
    '189.Red_bellied_Woodpecker',
  ],
  [
    'Colaptes auratus',
    'Northern Flicker (Yellow-shafted)',
    'Northern Flicker (Red-shafted)',
    'Colaptes auratus_Northern Flicker',
    'Northern Flicker',
  ],
  ['Zenaida macroura', 'Mourning Dove', 'Zenaida macroura (Mourning Dove)', 'mourning dove'],
  [
    'Turdus migratorius',
    'American Robin (Adult)',
    'American Robin (Juvenile)',
    'Turdus migratorius_American Robin',
    'American Robin',
    'robin, American robin, Turdus migratorius',
  ],
  [
    'Agelaius phoeniceus',
    'Red-winged Blackbird (Male)',
    'Red-winged Blackbird (Female/juvenile)',
    'Red_winged_Blackbird',
    'Agelaius phoeniceus (Red-winged Blackbird)',
  ],
  [
    'Molothrus ater',
    'Brown-headed Cowbird (Male)',
    'Brown-headed Cowbird (Female)',
    'Brown-headed Cowbird (Juvenile)',
    'Molothrus ater (Brown-headed Cowbird)',
  ],
  ['Quiscalus quiscula', 'Common Grackle', 'Quiscalus quiscula (Common Grackle)'],
  [
    'Icterus galbula',
    'Baltimore Oriole (Adult male)',
    'Baltimore Oriole (Female/Immature male)',
    'Icterus galbula (Baltimore Oriole)',
  ],
  [
    'Setophaga coronata',
    'Yellow-rumped Warbler',
    'Dendroica coronata',
    "Yellow-rumped Warbler (Breeding Audubon's)",
    'Yellow-rumped Warbler (Breeding Myrtle)',
    'Setophaga coronata_Yellow-rumped Warbler',
  ],
  ['Setophaga pinus', 'Pine Warbler', 'Dendroica pinus', '176.Pine_Warbler'],
  [
    'Zonotrichia albicollis',
    'White-throated Sparrow',
    'Zonotrichia albicollis (White-throated Sparrow)',
    'White-throated Sparrow (Juvenile)',
  ],
  ['Zonotrichia leucophrys', 'White-crowned Sparrow (Adult)', 'White-crowned Sparrow (Immature)'],
  ['Spizelloides arborea', 'American Tree Sparrow', 'American Tree-Sparrow'],
  ['Melospiza melodia', 'Song Sparrow', 'Melospiza melodia (Song Sparrow)', 'song_sparrow'],
  [
    'Thryothorus ludovicianus',
    'Carolina Wren',
    'Thryothorus ludovicianus (Carolina Wren)',
    '195.Carolina_Wren',
  ],
  ['Mimus polyglottos', 'Northern Mockingbird', 'Mimus polyglottos_Northern Mockingbird'],
  ['Dumetella carolinensis', 'Gray Catbird', 'Dumetella carolinensis (Gray Catbird)'],
  [
    'Pheucticus ludovicianus',
    'Rose-breasted Grosbeak (Adult Male)',
    'Rose-breasted Grosbeak (Female/immature male)',
  ],
  [
    'Anser caerulescens',
    'Snow Goose',
    'Chen caerulescens',
    'Chen caerulescens_Snow Goose',
    'Anser caerulescens (Snow Goose)',
  ],
  ['Mareca strepera', 'Gadwall (Breeding male)', 'Anas strepera', 'Mareca strepera_Gadwall'],
  [
    'Spatula clypeata',
    'Northern Shoveler (Breeding male)',
    'Anas clypeata',
    'Spatula clypeata (Northern Shoveler)',
  ],
  [
    'Anas platyrhynchos',
    'Mallard - Adult Male',
    'Mallard',
    'Anas platyrhynchos_Mallard',
    'Mallard [Female]',
    'Anas platyrhynchos (Mallard)',
  ],
  ['Lophodytes cucullatus', 'Hooded Merganser (Breeding male)', 'Mergus cucullatus'],
  ['Coragyps atratus', 'Coragyps atratus_Black Vulture', 'Coragyps atratus (Black Vulture)'],
  ['Archilochus colubris', 'Ruby-throated Hummingbird', 'Archilochus colubris (Ruby-throated Hummingbird)'],
  [
    'Calypte anna',
    "Anna's Hummingbird (Adult Male)",
    'Annas Hummingbird',
    'ANNAS_HUMMINGBIRD',
    'Anna´s Hummingbird',
  ],
  ['Regulus satrapa', 'Golden-crowned Kinglet', 'Regulus satrapa_Golden-crowned Kinglet'],
  [
    'Corthylio calendula',
    'Regulus calendula',
    'Ruby-crowned Kinglet',
    'Regulus calendula_Ruby-crowned Kinglet',
  ],
  ['Leiothlypis celata', 'Oreothlypis celata', 'Vermivora celata', 'Orange-crowned Warbler'],
  ['Bombycilla cedrorum', 'Cedar Waxwing', 'Bombycilla cedrorum (Cedar Waxwing)', '186.Cedar_Waxwing'],
  ['Sialia sialis', 'Eastern Bluebird', 'Sialia sialis (Eastern Bluebird)'],
  [
    'Buteo jamaicensis',
    'Red-tailed Hawk (Dark morph)',
    'Red-tailed Hawk (Light morph immature)',
    'Red-tailed Hawk',
    'Buteo jamaicensis (Red-tailed Hawk)',
  ],
  [
    'Phasianus colchicus',
    'Ring-necked Pheasant',
    'Phasianus colchicus_Ring-necked Pheasant',
    'Ring-necked Pheasant (Male)',
  ],
  ['Meleagris gallopavo', 'Wild Turkey', 'Meleagris gallopavo_Wild Turkey'],
  ['Pipilo maculatus', 'Spotted Towhee', 'Pipilo maculatus (Spotted Towhee)', '022.Spotted_Towhee'],
  ['Alcedo atthis', 'Alcedo atthis_Common Kingfisher', 'Common Kingfisher'],
  // iNaturalist's folders, SpeciesNet, codes of eBird, confidences and separators.
  [
    'Parus major',
    '04097_Animalia_Chordata_Aves_Passeriformes_Paridae_Parus_major',
    '0a1b;aves;passeriformes;paridae;parus;major;great tit',
    'gretit1',
    'Great Tit: 0.93',
    'Great Tit #12',
    'Parus major - Great Tit',
    'Parus major | Great Tit',
    '12: Great Tit',
    'Great Tit_Parus major',
    'Great tit (Parus major)',
  ],
  [
    'Cardinalis cardinalis',
    '04321_Animalia_Chordata_Aves_Passeriformes_Cardinalidae_Cardinalis_cardinalis',
    'norcar',
    'uuid;aves;passeriformes;cardinalidae;cardinalis;cardinalis;northern cardinal',
    'Northern Cardinal=0.88',
  ],
  ['Cyanocitta cristata', 'blujay', 'Blue Jay: 87%', 'Blue Jay_Cyanocitta cristata'],
];

const rows = families.flatMap(([species, ...labels]) => labels.map((label) => [label, species] as const));

describe('labels of real models', () => {
  it('the table, has at least 300 different labels', () => {
    expect(new Set(rows.map(([label]) => label)).size).toBeGreaterThanOrEqual(300);
  });

  const known = names();
  it.each(rows)('%s, means %s', (label, species) => {
    const own = known.scientificNameOf(known.speciesOfKey(species.toLowerCase()) ?? -1);
    expect(own).toBeDefined();
    expect(meaning(label, known)).toBe(own);
  });

  it.each([
    ['Robin', 'europe', 'Erithacus rubecula'],
    ['Robin', 'north_america', 'Turdus migratorius'],
    ['Magpie', 'europe', 'Pica pica'],
    ['Magpie', 'north_america', 'Pica hudsonia'],
    ['Starling', 'europe', 'Sturnus vulgaris'],
    ['Wren', 'europe', 'Troglodytes troglodytes'],
    ['Barn Owl', 'europe', 'Tyto alba'],
    ['Barn Owl', 'north_america', 'Tyto furcata'],
    ['Herring Gull', 'europe', 'Larus argentatus'],
    ['Herring Gull', 'north_america', 'Larus smithsonianus'],
    ['Accipiter gentilis', 'europe', 'Astur gentilis'],
    ['Accipiter gentilis (Northern Goshawk)', 'north_america', 'Astur atricapillus'],
    ['Robin (Juvenile)', 'europe', 'Erithacus rubecula'],
    ['Tree Sparrow', 'europe', 'Passer montanus'],
    ['Tree Sparrow', 'north_america', 'Spizelloides arborea'],
    ['Goshawk', 'europe', 'Astur gentilis'],
    ['Tree Creeper', 'europe', 'Certhia familiaris'],
    ['Cuckoo', 'europe', 'Cuculus canorus'],
    ['Cuckoo', 'north_america', 'Cuculidae'],
    ['Cuckoo (Juvenile)', 'north_america', 'Cuculidae'],
    ['Blackbird', 'europe', 'Turdus merula'],
    ['Blackbird', 'north_america', 'Icteridae'],
    ['Moorhen', 'north_america', 'Gallinula galeata'],
    ['Lapwing', 'australasia', 'Vanellus miles'],
    ['Cattle Egret', 'europe', 'Ardea ibis'],
    ['Cattle Egret', 'australasia', 'Ardea coromanda'],
    ['Dendroica petechia', 'north_america', 'Setophaga aestiva'],
    ['Setophaga petechia_Yellow Warbler', 'north_america', 'Setophaga aestiva'],
    ['Larus argentatus_Herring Gull', 'north_america', 'Larus smithsonianus'],
    ['Larus argentatus (Herring Gull)', 'north_america', 'Larus smithsonianus'],
    ['Larus argentatus_European Herring Gull', 'north_america', 'Larus argentatus'],
    ['Larus argentatus_Herring Gull', 'europe', 'Larus argentatus'],
    ['Tyto alba_Barn Owl', 'north_america', 'Tyto furcata'],
    ['Tyto alba_Barn Owl', 'australasia', 'Tyto javanica'],
    ['Tyto alba_Barn Owl', 'europe', 'Tyto alba'],
  ] as const)('%s, in %s, means %s', (label, region, species) => {
    expect(meaning(label, names(region))).toBe(species);
  });

  it.each([
    // Capitals, separators, authors, codes.
    ['TURDUS MERULA_EURASIAN BLACKBIRD', 'Turdus merula'],
    ['eurasian blackbird_turdus merula', 'Turdus merula'],
    ['turdus_merula_common_blackbird', 'Turdus merula'],
    ['Turdus merula, Eurasian Blackbird', 'Turdus merula'],
    ['Turdus merula;Eurasian Blackbird', 'Turdus merula'],
    ['Eurasian Blackbird — Turdus merula', 'Turdus merula'],
    ['Turdus merula Linnaeus, 1758', 'Turdus merula'],
    ['Turdus merula (Linnaeus, 1758)', 'Turdus merula'],
    ['Parus major_Great Tit_gretit1', 'Parus major'],
    // Vernacular names that look like Latin.
    ['Passera scopaiola_Prunella modularis', 'Prunella modularis'],
    ['Passera scopaiola (Prunella modularis)', 'Prunella modularis'],
    ['Prunella modularis (Passera scopaiola)', 'Prunella modularis'],
    // Additional words.
    ['Great Tit (On nest)', 'Parus major'],
    ['Great Tit_song', 'Parus major'],
    ['Snow Goose (Blue morph)', 'Anser caerulescens'],
    ['Mallard (Domestic type)', 'Anas platyrhynchos'],
    ['Northern Cardinal ♂', 'Cardinalis cardinalis'],
    ['Northern Cardinal {male}', 'Cardinalis cardinalis'],
    ['Northern Cardinal (1st winter)', 'Cardinalis cardinalis'],
    ['Kohlmeise, Männchen', 'Parus major'],
    // Indices and confidences.
    ['[12] Great Tit', 'Parus major'],
    ['#12 Great Tit', 'Parus major'],
    ['class_12_Great_Tit', 'Parus major'],
    ['Great_Tit_12', 'Parus major'],
    ['Great Tit 87%', 'Parus major'],
    ['Great Tit (0.87)', 'Parus major'],
    ['Great Tit: 87 %', 'Parus major'],
    // Spelling variants.
    ['"Great Tit"', 'Parus major'],
    ['Great Tit.', 'Parus major'],
    ['GreatTit', 'Parus major'],
    ['Gruenfink', 'Chloris chloris'],
    ['Kernbeisser', 'Coccothraustes coccothraustes'],
    ['Moenchsgrasmuecke', 'Sylvia atricapilla'],
    // Subspecies that are species now, and others.
    ['Corvus corone cornix', 'Corvus cornix'],
    ['Corvus corone cornix_Hooded Crow', 'Corvus cornix'],
    ['Larus argentatus smithsonianus', 'Larus smithsonianus'],
    ['Accipiter gentilis atricapillus', 'Astur atricapillus'],
    ['Lanius excubitor borealis_Northern Shrike', 'Lanius borealis'],
    ['Lanius excubitor excubitor', 'Lanius excubitor'],
    // Full classifications, with the higher ranks.
    ['04097_Animalia_Chordata_Mammalia_Rodentia_Sciuridae_Sciurus_vulgaris', 'Sciurus vulgaris'],
    ['uuid;mammalia;carnivora;felidae;felis;catus;domestic cat', 'Felis catus'],
    ['uuid;aves;passeriformes;paridae;parus;;parus species', 'Paridae'],
    ['uuid;aves;passeriformes;paridae;;;paridae family', 'Paridae'],
  ])('%s, anywhere, means %s', (label, species) => {
    expect(meaning(label)).toBe(species);
  });

  it.each([
    ['uuid;aves;passeriformes;;;;passeriformes order', 'Bird'],
    ['Bird sp.', 'Bird'],
    ['unidentified', 'Unknown'],
    ['uuid;;;;;;blank', 'Background'],
    ['uuid;mammalia;rodentia;sciuridae;;;sciuridae family', 'Squirrel'],
    ['uuid;mammalia;xenarthra;;;;xenarthra order', 'Other animals'],
  ])('%s, without a species, means %s', (label, name) => {
    const known = names();
    expect(known.node(findLabel(readLabel(label), known)?.id ?? 0)?.name).toBe(name);
  });

  it.each(['Robin', 'Magpie', 'Barn Owl', 'Herring Gull'])(
    '%s, in an unknown region, means no species',
    (label) => {
      expect(meaning(label)).toBeUndefined();
    },
  );

  it.each([
    ['Aegypius monachus_Black Vulture', 'Coragyps atratus'],
    ['Tricolored Blackbird (Male)', 'Turdus merula'],
    ['Black Cuckoo (Female/immature)', 'Cuculus canorus'],
    ['Zosterops lateralis_Blackcap', 'Sylvia atricapilla'],
    ['Great Tit Nestbox', 'Parus major'],
    ['Mallard (hybrid)', 'Anas platyrhynchos'],
    ['Mallard × Pintail', 'Anas platyrhynchos'],
  ])('%s, never means %s', (label, species) => {
    expect(meaning(label)).not.toBe(species);
  });

  it.each([
    ['Northern Cardinal (Adult Male)', 'adult male'],
    ['Northern Cardinal (Female/immature)', 'female/immature'],
    ['House Sparrow (Breeding)', 'breeding'],
    ['downy_woodpecker_male', 'male'],
    ['female Northern Cardinal', 'female'],
    ['Mallard - Adult Male', 'adult male'],
    ["Yellow-rumped Warbler (Breeding Audubon's)", 'breeding'],
    ['Cardinalis cardinalis_Northern Cardinal (Female)', 'female'],
    ['Northern Cardinal', null],
    ['Dark-eyed Junco (Oregon)', null],
    ['Winter Wren', null],
    ['Northern Cardinal ♂', 'male'],
    ['Kohlmeise (Weibchen)', 'weibchen'],
    ['Great Tit (1st winter)', '1st winter'],
  ])('%s, has the plumage %s', (label, plumage) => {
    expect(findLabel(readLabel(label), names())?.plumage ?? readLabel(label).plumage).toBe(plumage);
  });

  it('a pair of equal names, is read as one name', () => {
    expect(readLabel('Engine_Engine')).toMatchObject({ name: 'Engine', pair: undefined });
  });

  it('any text, has a key and throws no error', () => {
    const known = names();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (label) => {
        const reading = readLabel(label);
        expect(typeof reading.key).toBe('string');
        findLabel(reading, known);
      }),
      { numRuns: 300 },
    );
  });
});

const nothingListed = { speciesOfKey: () => undefined };

describe('assignLabels', () => {
  const bird = fc.record({
    scientific: fc.constantFrom(
      'Aegypius monachus',
      'Testus primus',
      'Testus secundus',
      'Parus major',
      'Alia rara',
    ),
    common: fc.constantFrom('Black Vulture', 'First Tester', 'Second Tester', 'Great Tit', 'Rare Other'),
  });
  const formsOf = ({ scientific, common }: { scientific: string; common: string }) => [
    `${scientific}_${common}`,
    scientific,
    common,
    `${scientific} (${common})`,
    `${common} (${scientific})`,
    `${common} (Male)`,
  ];

  it('spellings of new birds, in any order and grouping, create one species per bird', () => {
    const birds = [
      { scientific: 'Testus primus', common: 'First Tester' },
      { scientific: 'Alia rara', common: 'Seltener Andersvogel' },
      { scientific: 'Parus major', common: 'Bonte Mees' },
    ];
    const forms = birds.flatMap(formsOf);
    const orders = fc.shuffledSubarray(forms, { minLength: forms.length, maxLength: forms.length });
    fc.assert(
      fc.property(orders, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 18 }), (order, sizes) => {
        const known = names();
        const before = known.size;
        const left = [...order];
        for (const size of sizes)
          known.write(assignLabels(left.splice(0, size).map(readLabel), known, nothingListed));
        known.write(assignLabels(left.map(readLabel), known, nothingListed));
        for (const one of birds) {
          const ids = formsOf(one).map((form) => findLabel(readLabel(form), known)?.id);
          expect(new Set(ids).size, `${JSON.stringify(one)} after ${JSON.stringify(order)}`).toBe(1);
        }
        expect(known.size - before).toBe(2);
      }),
      { numRuns: 200 },
    );
  });

  it('contradictory pairs, leave all known birds apart', () => {
    fc.assert(
      fc.property(fc.array(bird, { maxLength: 12 }), (given) => {
        const known = names();
        const tit = known.speciesOfKey('great tit');
        const vulture = known.speciesOfKey('black vulture');
        for (const one of given)
          known.write(assignLabels([readLabel(`${one.scientific}_${one.common}`)], known, nothingListed));
        expect(known.speciesOfKey('parus major')).toBe(tit);
        expect(known.speciesOfKey('great tit')).toBe(tit);
        expect(known.speciesOfKey('black vulture')).toBe(vulture);
        expect(known.speciesOfKey('coragyps atratus')).toBe(vulture);
        for (const { scientific, common } of given) {
          const label = readLabel(`${scientific}_${common}`);
          expect(findLabel(label, known)?.isLearned).toBe(true);
          expect(findLabel(label, known)?.id).toBe(known.speciesOfKey(scientific.toLowerCase()));
        }
      }),
    );
  });

  it('a pair of a known species without room for names, adds nothing and means the species', () => {
    const known = names();
    const reading = readLabel('Parus major_Further Name');
    const assigned = assignLabels([reading], known, nothingListed, { species: 1, names: 0 });
    expect(assigned).toMatchObject({ created: [], aliases: new Map(), isFull: true });
    expect(findLabel(reading, assigned)?.id).toBe(known.speciesOfKey('great tit'));
  });

  it('unknown labels, with room for one species, create one', () => {
    const readings = ['First Tester', 'Second Tester', 'Great Tit'].map(readLabel);
    const room = { species: 1, names: 100 };
    const { created, isFull } = assignLabels(readings, names(), nothingListed, room);
    expect(created.map(({ name }) => name)).toEqual(['First Tester']);
    expect(isFull).toBe(true);
  });

  const listed = indexChecklists([
    {
      source: 'avilist',
      scientificName: 'Aegypius monachus',
      names: [
        { name: 'Cinereous Vulture', language: 'en', authority: 'avilist' },
        { name: 'Eurasian Black Vulture', language: 'en', authority: 'birdlife' },
      ],
      ebirdCode: 'cinvul1',
      family: 'Accipitridae',
      familyName: 'Hawks',
    },
    {
      source: 'avilist',
      scientificName: 'Pandion haliaetus',
      names: [{ name: 'Osprey', language: 'en', authority: 'avilist' }],
      ebirdCode: 'osprey',
      family: 'Pandionidae',
      familyName: 'Osprey',
    },
    {
      source: 'avilist',
      scientificName: 'Melanitta americana',
      names: [{ name: 'Black Scoter', language: 'en', authority: 'avilist' }],
      ebirdCode: 'blksco2',
      family: 'Anatidae',
      familyName: 'Ducks',
    },
  ]);

  it.each([
    ['Aegypius monachus_Black Vulture', 'Aegypius monachus'],
    ['Eurasian Black Vulture', 'Aegypius monachus'],
    ['Cinereous Vulture (Immature)', 'Aegypius monachus'],
    ['Vultur monachus_Cinereous Vulture', 'Aegypius monachus'],
    ['Osprey', 'Pandion haliaetus'],
    ['Melanitta nigra americana', 'Melanitta americana'],
    ['Melanitta nigra americana_Black Scoter', 'Melanitta americana'],
    ['Melanitta nigra nigra', 'Melanitta nigra'],
    ['Osprey_Pandion haliaetus', 'Pandion haliaetus'],
  ])('%s, with a checklist, becomes %s', (label, species) => {
    const known = names();
    known.write(assignLabels([readLabel(label)], known, listed));
    expect(meaning(label, known)).toBe(species);
    expect(meaning('black vulture', known)).toBe('Coragyps atratus');
  });
});
