import { expect, test } from 'vitest';
import { catalogue } from './catalogue.js';
import type { FamilyName } from './catalogue-families.js';

/** Genera that may stand under each family, written apart from the catalogue to catch its typing errors. */
const genera: Record<FamilyName, string> = {
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

const { families, species } = catalogue();

test.each(families)(
  'catalogue, family $name, has the genera of a list written apart and no other',
  ({ name }) => {
    const found = species
      .filter(({ family }) => family === name)
      .map((row) => row.scientificName.split(' ')[0]);
    expect([...new Set(found)].sort()).toEqual(genera[name].split(' ').sort());
  },
);
