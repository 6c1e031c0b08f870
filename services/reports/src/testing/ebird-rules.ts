/** The requirements of eBird's record format, implemented independently of the writer. */
const columns: readonly { readonly name: string; readonly form: RegExp }[] = [
  { name: 'Common Name', form: /^\S.{0,63}$/u },
  { name: 'Genus', form: /^\p{L}{0,32}$/u },
  { name: 'Species', form: /^[\p{L} .-]{0,64}$/u },
  { name: 'Number', form: /^(X|[1-9]\d{0,6})$/ },
  { name: 'Species Comments', form: /^.{0,8000}$/u },
  { name: 'Location Name', form: /^\S.{0,59}$/u },
  { name: 'Latitude', form: /^(-?\d{1,2}(\.\d+)?)?$/ },
  { name: 'Longitude', form: /^(-?\d{1,3}(\.\d+)?)?$/ },
  { name: 'Date', form: /^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/ },
  { name: 'Start Time', form: /^([01]\d|2[0-3]):[0-5]\d$/ },
  { name: 'State/Province', form: /^[A-Z0-9]{0,3}$/ },
  { name: 'Country', form: /^[A-Z]{2}$/ },
  { name: 'Protocol', form: /^(Stationary|Traveling|Incidental|Historical)$/ },
  { name: 'Number of Observers', form: /^[1-9]\d*$/ },
  { name: 'Duration', form: /^([1-9]\d{0,2}|1[0-3]\d\d|14[0-3]\d|1440)$/ },
  { name: 'All observations reported', form: /^[YN]$/ },
  { name: 'Effort Distance', form: /^$/ },
  { name: 'Effort Area', form: /^$/ },
  { name: 'Submission Comments', form: /^.{0,8000}$/u },
];

const [species, location, date] = [0, 5, 8];
/** Columns that are equal in all rows of a checklist. */
const ofChecklist = [6, 7, 9, 10, 11, 12, 13, 14, 15, 18];

function mistakesInRow(cells: readonly string[]): string[] {
  if (cells.length !== columns.length) return [`has ${cells.length} columns`];
  return columns
    .filter(({ form }, at) => !form.test(cells[at] ?? ''))
    .map(({ name }) => `has a wrong ${name}: ${cells[columns.findIndex((column) => column.name === name)]}`);
}

/** Returns what eBird would reject in a file; empty when it is valid. */
export function findEbirdMistakes(file: string): string[] {
  const mistakes: string[] = [];
  if (file.includes('"')) mistakes.push('has quotes');
  if (file !== '' && !file.endsWith('\r\n')) mistakes.push('does not end with a line break');
  const rows = file.split('\r\n').slice(0, -1);
  const checklists = new Map<string, string>();
  const listed = new Set<string>();
  for (const [number, row] of rows.entries()) {
    const cells = row.split(',');
    const report = (mistake: string) => mistakes.push(`row ${number + 1} ${mistake}`);
    mistakesInRow(cells).forEach(report);
    const checklist = `${cells[location]} on ${cells[date]}`;
    const effort = ofChecklist.map((at) => cells[at]).join();
    if ((checklists.get(checklist) ?? effort) !== effort) report('differs from other rows of its checklist');
    checklists.set(checklist, effort);
    const line = `${checklist}: ${cells[species]}`;
    if (listed.has(line)) report('lists a species twice');
    listed.add(line);
  }
  return mistakes;
}
