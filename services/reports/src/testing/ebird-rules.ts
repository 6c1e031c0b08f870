/** The requirements of eBird's record format, implemented independently of the writer. */
const columns: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'Common Name', pattern: /^\S.{0,63}$/u },
  { name: 'Genus', pattern: /^\p{L}{0,32}$/u },
  { name: 'Species', pattern: /^[\p{L} .-]{0,64}$/u },
  { name: 'Number', pattern: /^(X|[1-9]\d{0,6})$/ },
  { name: 'Species Comments', pattern: /^.{0,8000}$/u },
  { name: 'Location Name', pattern: /^\S.{0,59}$/u },
  { name: 'Latitude', pattern: /^(-?\d{1,2}(\.\d+)?)?$/ },
  { name: 'Longitude', pattern: /^(-?\d{1,3}(\.\d+)?)?$/ },
  { name: 'Date', pattern: /^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/ },
  { name: 'Start Time', pattern: /^([01]\d|2[0-3]):[0-5]\d$/ },
  { name: 'State/Province', pattern: /^[A-Z0-9]{0,3}$/ },
  { name: 'Country', pattern: /^[A-Z]{2}$/ },
  { name: 'Protocol', pattern: /^(Stationary|Traveling|Incidental|Historical)$/ },
  { name: 'Number of Observers', pattern: /^[1-9]\d*$/ },
  { name: 'Duration', pattern: /^([1-9]\d{0,2}|1[0-3]\d\d|14[0-3]\d|1440)$/ },
  { name: 'All observations reported', pattern: /^[YN]$/ },
  { name: 'Effort Distance', pattern: /^$/ },
  { name: 'Effort Area', pattern: /^$/ },
  { name: 'Submission Comments', pattern: /^.{0,8000}$/u },
];

const [species, location, date] = [0, 5, 8];
/** Indexes of the columns that are equal in all rows of a checklist. */
const checklistColumns = [6, 7, 9, 10, 11, 12, 13, 14, 15, 18];

function findRowViolations(cells: readonly string[]): string[] {
  if (cells.length !== columns.length) return [`has ${cells.length} columns`];
  return columns
    .filter(({ pattern }, at) => !pattern.test(cells[at] ?? ''))
    .map(
      ({ name }) => `has an invalid ${name}: ${cells[columns.findIndex((column) => column.name === name)]}`,
    );
}

/** Returns the reasons for which eBird would reject a file; empty when it is valid. */
export function findEbirdViolations(file: string): string[] {
  const violations: string[] = [];
  if (file.includes('"')) violations.push('has quotes');
  if (file !== '' && !file.endsWith('\r\n')) violations.push('does not end with a line break');
  const rows = file.split('\r\n').slice(0, -1);
  const checklists = new Map<string, string>();
  const listed = new Set<string>();
  for (const [number, row] of rows.entries()) {
    const cells = row.split(',');
    const report = (violation: string) => violations.push(`row ${number + 1} ${violation}`);
    findRowViolations(cells).forEach(report);
    const checklist = `${cells[location]} on ${cells[date]}`;
    const effort = checklistColumns.map((at) => cells[at]).join();
    if ((checklists.get(checklist) ?? effort) !== effort) report('differs from other rows of its checklist');
    checklists.set(checklist, effort);
    const line = `${checklist}: ${cells[species]}`;
    if (listed.has(line)) report('lists a species twice');
    listed.add(line);
  }
  return violations;
}
