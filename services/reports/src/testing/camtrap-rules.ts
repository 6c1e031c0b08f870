import { readCsv } from './read-csv.js';

type Row = Readonly<Record<string, string>>;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)$/;
const types = ['animal', 'human', 'vehicle', 'blank', 'unknown', 'unclassified'];

/** Returns violations of the rules of Camtrap DP 1.0.2 and of references between its tables. */
export function findCamtrapViolations(files: ReadonlyMap<string, Buffer>): string[] {
  const violations: string[] = [];
  const check = (isValid: boolean, violation: string) => {
    if (!isValid) violations.push(violation);
  };
  const table = (name: string) => readCsv(files.get(`${name}.csv`)?.toString() ?? '\n');
  const [deployments, media, observations] = ['deployments', 'media', 'observations'].map(table) as [
    Row[],
    Row[],
    Row[],
  ];
  const byId = (rows: readonly Row[], id: string) => {
    const found = new Map(rows.map((row) => [row[id] ?? '', row]));
    check(found.size === rows.length && !found.has(''), `${id} is missing or duplicated`);
    return found;
  };
  const places = byId(deployments, 'deploymentID');
  const recordings = byId(media, 'mediaID');
  byId(observations, 'observationID');
  const number = (row: Row, column: string, low: number, high: number, isRequired = false) => {
    const text = row[column] ?? '';
    if (text === '' && !isRequired) return;
    check(text !== '' && Number(text) >= low && Number(text) <= high, `${column} is ${text}`);
  };
  const instants = (row: Row, ...columns: string[]) => {
    for (const column of columns) check(time.test(row[column] ?? ''), `${column} is ${row[column]}`);
  };
  for (const row of deployments) {
    number(row, 'latitude', -90, 90, true);
    number(row, 'longitude', -180, 180, true);
    number(row, 'coordinateUncertainty', 1, 1e6, true);
    instants(row, 'deploymentStart', 'deploymentEnd');
    check(
      (row['deploymentStart'] ?? '') <= (row['deploymentEnd'] ?? ''),
      'a deployment ends before it starts',
    );
  }
  for (const row of media) {
    const place = places.get(row['deploymentID'] ?? '');
    check(place !== undefined, `media without a deployment: ${row['deploymentID']}`);
    instants(row, 'timestamp');
    check(/^(?=^[^./~])(^((?!\.{2}).)*$).*$/.test(row['filePath'] ?? ''), `filePath is ${row['filePath']}`);
    check(
      /^(image|video|audio)\/.*$/.test(row['fileMediatype'] ?? ''),
      `fileMediatype is ${row['fileMediatype']}`,
    );
    check(['true', 'false'].includes(row['filePublic'] ?? ''), `filePublic is ${row['filePublic']}`);
    const at = row['timestamp'] ?? '';
    check(
      at >= (place?.['deploymentStart'] ?? '') && at <= (place?.['deploymentEnd'] ?? ''),
      'media outside their deployment',
    );
  }
  const events = new Map<string, Row>();
  for (const row of observations)
    if (row['observationLevel'] === 'event') events.set(`${row['eventID']} ${row['deploymentID']}`, row);
  for (const row of observations) {
    check(places.has(row['deploymentID'] ?? ''), `observation without a deployment: ${row['deploymentID']}`);
    instants(row, 'eventStart', 'eventEnd');
    check((row['eventStart'] ?? '') <= (row['eventEnd'] ?? ''), 'an observation ends before it starts');
    check(types.includes(row['observationType'] ?? ''), `observationType is ${row['observationType']}`);
    number(row, 'count', 1, 1e4);
    number(row, 'classificationProbability', 0, 1);
    const boxes = ['bboxX', 'bboxY', 'bboxWidth', 'bboxHeight'].map((column) => row[column] ?? '');
    check(new Set(boxes.map((text) => text === '')).size === 1, 'a box is incomplete');
    for (const column of ['bboxX', 'bboxY']) number(row, column, 0, 1);
    for (const column of ['bboxWidth', 'bboxHeight']) number(row, column, 1e-15, 1);
    check(
      Number(boxes[0]) + Number(boxes[2]) <= 1.000_002 && Number(boxes[1]) + Number(boxes[3]) <= 1.000_002,
      'a box extends beyond the picture',
    );
    check(
      ['', 'human', 'machine'].includes(row['classificationMethod'] ?? ''),
      `classificationMethod is ${row['classificationMethod']}`,
    );
    check(
      ['', 'adult', 'subadult', 'juvenile'].includes(row['lifeStage'] ?? ''),
      `lifeStage is ${row['lifeStage']}`,
    );
    check(['', 'female', 'male'].includes(row['sex'] ?? ''), `sex is ${row['sex']}`);
    check(
      (row['observationType'] === 'animal') === (row['scientificName'] !== '') ||
        row['observationType'] === 'human',
      `${row['observationType']} with the name ${row['scientificName']}`,
    );
    if (row['observationLevel'] === 'event') {
      check(row['mediaID'] === '', 'an event has a mediaID');
      continue;
    }
    check(row['observationLevel'] === 'media', `observationLevel is ${row['observationLevel']}`);
    const medium = recordings.get(row['mediaID'] ?? '');
    check(medium !== undefined, `observation without media: ${row['mediaID']}`);
    if (!row['eventID']) continue;
    const event = events.get(`${row['eventID']} ${row['deploymentID']}`);
    const at = medium?.['timestamp'] ?? '';
    check(
      event !== undefined && (event['eventStart'] ?? '') <= at && at <= (event['eventEnd'] ?? ''),
      `${row['eventID']} does not contain its media`,
    );
  }
  return [
    ...violations,
    ...findDescriptorViolations(JSON.parse(files.get('datapackage.json')?.toString() ?? '{}'), observations),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: the descriptor may have any shape
function findDescriptorViolations(descriptor: any, observations: readonly Row[]): string[] {
  const violations: string[] = [];
  for (const name of ['deployments', 'media', 'observations']) {
    const resource = descriptor.resources?.find((one: { name: string }) => one.name === name);
    if (resource?.profile !== 'tabular-data-resource' || !resource.schema.includes('1.0.2'))
      violations.push(`resource ${name}`);
  }
  for (const key of ['profile', 'created', 'contributors', 'project', 'spatial', 'temporal', 'taxonomic'])
    if (!descriptor[key]) violations.push(`no ${key}`);
  const scopes = (descriptor.licenses ?? [])
    .map(({ scope }: { scope: string }) => scope)
    .sort()
    .join();
  if (scopes !== 'data,media') violations.push(`licences of ${scopes}`);
  const named = new Set(
    descriptor.taxonomic.map((taxon: { scientificName: string }) => taxon.scientificName),
  );
  for (const { scientificName } of observations)
    if (scientificName && !named.has(scientificName) && !['Aves', 'Animalia'].includes(scientificName))
      violations.push(`${scientificName} is not a taxon of the package`);
  return [...new Set(violations)];
}
