import { HubError } from '@birdhub/shared/errors';
import { describe, expect, it } from 'vitest';
import { readChecklist } from './checklist-file.js';

const read = (text: string | Buffer, size = 7) => readChecklist(inPieces(Buffer.from(text as string), size));

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the path and the message of the error for an invalid file. */
async function refusal(text: string | Buffer): Promise<{ path: string | undefined; message: string }> {
  const error = await read(text).catch((caught: unknown) => caught);
  if (!(error instanceof HubError)) throw new Error('the file was taken');
  expect(error.code).toBe('invalid_request');
  return { path: error.details?.[0]?.path, message: error.message };
}

/** The tables as published, with their own column names. */
const avilist = [
  'Sequence,Taxon_rank,Order,Family,Family_English_name,Scientific_name,Authority,Bibliographic_details,English_name_AviList,English_name_Clements_v2024,English_name_BirdLife_v9,Proposal_number,Decision_summary,Range,Extinct_or_possibly_extinct,IUCN_Red_List_Category,BirdLife_DataZone_URL,Species_code_Cornell_Lab,Birds_of_the_World_URL,AvibaseID,Gender_of_genus',
  '1,order,Struthioniformes,,,Struthioniformes,"Latham, 1790",,,,,,,,,,,,,,',
  '2,family,Struthioniformes,Struthionidae,Ostriches,Struthionidae,"Vigors, 1825",,,,,,,,,,,,,,',
  '3,genus,Struthioniformes,Struthionidae,Ostriches,Struthio,"Linnaeus, 1758",,,,,,,,,,,,,,masculine',
  '4,species,Struthioniformes,Struthionidae,Ostriches,Struthio camelus,"Linnaeus, 1758","Syst. Nat., 10th ed., ""vol. 1"", p. 155",Common Ostrich,Common Ostrich,Common Ostrich,,,Africa,,LC,https://datazone.birdlife.org/x,ostric2,https://birdsoftheworld.org/x,avibase-2247CB05,',
  '5,subspecies,Struthioniformes,Struthionidae,Ostriches,Struthio camelus camelus,"Linnaeus, 1758",,,,,,,,,,,,,,',
].join('\n');

const ebirdOfTheApi = [
  'SCIENTIFIC_NAME,COMMON_NAME,SPECIES_CODE,CATEGORY,TAXON_ORDER,COM_NAME_CODES,SCI_NAME_CODES,BANDING_CODES,ORDER,FAMILY_COM_NAME,FAMILY_SCI_NAME,REPORT_AS,EXTINCT,EXTINCT_YEAR,FAMILY_CODE',
  'Struthio camelus,Common Ostrich,ostric2,species,2.0,COOS,STCA,,Struthioniformes,Ostriches,Struthionidae,,,,struth1',
  'Struthio camelus/molybdophanes,Common/Somali Ostrich,y00934,slash,5.0,,,,Struthioniformes,Ostriches,Struthionidae,,,,struth1',
].join('\n');

const ebirdOfTheYear = [
  'TAXON_ORDER,CATEGORY,SPECIES_CODE,TAXON_CONCEPT_ID,PRIMARY_COM_NAME,SCI_NAME,ORDER1,FAMILY,SPECIES_GROUP,REPORT_AS',
  '2,species,ostric2,avibase-2247CB05,Common Ostrich,Struthio camelus,Struthioniformes,Struthionidae (Ostriches),Ostriches,',
  '5,slash,y00934,,Somali/Common Ostrich,Struthio camelus/molybdophanes,Struthioniformes,Struthionidae (Ostriches),,',
].join('\n');

const clements = [
  'sort v2024,species_code,taxon_concept_id,Clements v2024 change,text for website v2024,category,English name,scientific name,authority,name and authority,range,order,family,extinct,extinct year,sort v2023',
  '1,ostric2,avibase-2247CB05,,,species,Common Ostrich,Struthio camelus,"Linnaeus, 1758",,Africa,Struthioniformes,Struthionidae (Ostriches),,,1',
  '2,,,,,subspecies,,Struthio camelus camelus,"Linnaeus, 1758",,,Struthioniformes,Struthionidae (Ostriches),,,2',
].join('\n');

const ioc = [
  'seq,Order,Family,IOC_15.1,English,Catalan,Dutch,French,German,Italian,Polish,Russian,Spanish',
  '1,STRUTHIONIFORMES,Struthionidae,Struthio camelus,Common Ostrich,Estruç,Struisvogel,Autruche d\u2019Afrique,Strauß,Struzzo,struś czerwonoskóry,Африканский страус,Avestruz común',
].join('\n');

describe('readChecklist', () => {
  it.each([
    ['the spreadsheet of AviList', avilist, 'avilist', { ebirdCode: 'ostric2', status: 'LC' }],
    ['the taxonomy of eBird of its API', ebirdOfTheApi, 'ebird', { ebirdCode: 'ostric2' }],
    ['the taxonomy of eBird of the year', ebirdOfTheYear, 'ebird', { ebirdCode: 'ostric2' }],
    ['the combined checklist of eBird and Clements', clements, 'ebird', { ebirdCode: 'ostric2' }],
    ['the multilingual list of the IOC', ioc, 'ioc', { ebirdCode: null, familyName: null }],
  ])('%s, saved as CSV, is read with code, order and family', async (_, text, source, more) => {
    const checklist = await read(text);
    expect(checklist.source).toBe(source);
    expect(checklist.rows).toMatchObject([
      {
        scientificName: 'Struthio camelus',
        order: 'Struthioniformes',
        family: 'Struthionidae',
        familyName: 'Ostriches',
        ...more,
      },
    ]);
    expect(checklist.rows[0]?.names[0]).toMatchObject({ name: 'Common Ostrich', language: 'en' });
  });

  it('the multilingual list, has the names in the languages of the hub', async () => {
    const { rows } = await read(ioc);
    expect(rows[0]?.names.map(({ language, name }) => `${language} ${name}`)).toEqual([
      'en Common Ostrich',
      'nl Struisvogel',
      'fr Autruche d\u2019Afrique',
      'de Strauß',
      'it Struzzo',
      'pl struś czerwonoskóry',
      'ru Африканский страус',
      'es Avestruz común',
    ]);
  });

  it.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['carriage returns', (text: string) => `${text.replaceAll('\n', '\r\n')}\r\n`],
    ['semicolons', (text: string) => text.replaceAll(',', ';')],
    ['tabs', (text: string) => text.replaceAll(',', '\t')],
    ['quotes around every cell', (text: string) => text.replaceAll(/[^,\n]+/gu, '"$&"')],
    ['trailing empty lines', (text: string) => `${text}\n\n;;\n`.replace(';;', ',,,,,,,,,,,,')],
  ])('a table with %s, is read like the one without', async (_, change) => {
    expect(await read(change(ioc))).toEqual(await read(ioc));
  });

  it('a table with tabs, may have quotes in its cells', async () => {
    const text = ioc.replaceAll(',', '\t').replace('Common Ostrich', 'Common "Ostrich"');
    expect((await read(text)).rows[0]?.names[0]?.name).toBe('Common "Ostrich"');
  });

  it('a file that is invalid in its second line, is not read to its end', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        yield Buffer.from('a,b,c\n1,2,3\n');
        for (;;) yield Buffer.from('1,2,3\n');
      } finally {
        isClosed = true;
      }
    }
    await expect(readChecklist(endless())).rejects.toThrow(/no header/);
    await expect.poll(() => isClosed).toBe(true);
  });

  it('chunks of any size, give the same result as the whole', async () => {
    const whole = await read(avilist, 1_000_000);
    for (const size of [1, 2, 3, 64]) expect(await read(avilist, size)).toEqual(whole);
  });

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${ioc}`, 'utf16le'), '/1', /UTF-16/],
    ['UTF-16 without a byte order mark', Buffer.from(ioc, 'utf16le'), '/1', /UTF-8/],
    [
      'Windows-1252',
      Buffer.from(
        `${ioc.split('\n')[0]}\n${'1,STRUTHIONIFORMES,Struthionidae,Struthio camelus,Common Ostrich,Estru\xe7,a,b,c,d,e,f,g'}`,
        'latin1',
      ),
      '/2',
      /not UTF-8/,
    ],
    ['a spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), '/1', /spreadsheet/],
    ['a row too short', `${ioc}\n2,STRUTHIONIFORMES`, '/3', /cells/],
    ['an unclosed quote', `${ioc}\n2,"STRUTHIONIFORMES`, '/3', /not closed/],
    ['a quote within a cell', `${ioc}\n2,STRUTHIO"NIFORMES`, '/3', /quote within a cell/],
    ['a character after a quoted cell', `${ioc}\n2,"STRUTHIO"NIFORMES`, '/3', /quote within a cell/],
    ['a NUL character', `${ioc}\n2,STRUTHIO\0NIFORMES`, '/3', /NUL/],
    ['a row of commas without an end', `${ioc}\n${','.repeat(120_000)}`, '/3', /100000 characters/],
    ['a quoted cell of many lines', `${ioc}\n2,"${'a\n'.repeat(60_000)}`, '/50003', /100000 characters/],
    ['a header without an end', 'a'.repeat(200_000), '/1', /100000 characters/],
    ['no text', '', '/1', /empty/],
    ['other columns', 'a,b,c\n1,2,3', '/1', /no header/],
    ['only its header', ioc.split('\n')[0] ?? '', '/2', /no species/],
  ])('a file with %s, is refused with its line', async (_, text, path, message) => {
    const refused = await refusal(text);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });
});
