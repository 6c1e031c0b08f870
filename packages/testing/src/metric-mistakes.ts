/** A metric family in the output of a scrape. */
interface MetricFamily {
  readonly name: string;
  help: string | undefined;
  type: string | undefined;
  readonly samples: string[];
}

/** Units that promtool rejects in favour of base units: `_seconds`, `_bytes`, `_celsius`, `_meters`, `_grams`, `_joules`. */
const nonBaseUnits =
  /_(milliseconds|microseconds|nanoseconds|minutes|hours|days|weeks|kilobytes|megabytes|gigabytes|kibibytes|mebibytes|gibibytes|bits|kelvins|fahrenheit|inches|yards|miles|calories|pounds|ounces)(_|$)/;
const abbreviations = /_(s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(_|$)/;
const typeWords = /_(counter|gauge|histogram|summary|untyped)(_|$)/;
const ofHistogram = /_(bucket|count|sum)$/;
const line = /^([a-zA-Z_:][\w:]*)(\{(.*)\})? (\S+)( -?\d+)?$/;
const label = /^[a-zA-Z_]\w*="(?:[^"\\]|\\.)*"$/;

function familyOf(families: Map<string, MetricFamily>, sample: string): string {
  if (families.has(sample)) return sample;
  return sample.replace(ofHistogram, '');
}

function readFamilies(text: string, report: (mistake: string) => void): Map<string, MetricFamily> {
  const families = new Map<string, MetricFamily>();
  const open = (name: string) => {
    const family = families.get(name) ?? { name, help: undefined, type: undefined, samples: [] };
    families.set(name, family);
    return family;
  };
  for (const row of text.split('\n').filter(Boolean)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(row) ?? [];
    if (kind === 'HELP') open(name).help = rest;
    else if (kind === 'TYPE') open(name).type = rest;
    else if (!row.startsWith('#')) {
      const [, sample = '', , labels = '', value = ''] = line.exec(row) ?? [];
      const isRight = sample && labelsOf(labels).every((one) => label.test(one));
      if (!isRight || (Number.isNaN(Number(value)) && !/^(nan|[+-]?inf)$/i.test(value)))
        report(`not a sample: ${row}`);
      open(familyOf(families, sample)).samples.push(row);
    }
  }
  return families;
}

function labelsOf(labels: string): string[] {
  return labels.match(/[^,="]+="(?:[^"\\]|\\.)*"/g) ?? (labels ? [labels] : []);
}

function mistakesOf({ name, help, type, samples }: MetricFamily): string[] {
  const rules: [boolean, string][] = [
    [!help, 'no help text'],
    [!type, 'no type'],
    [name.includes(':'), 'colons are for recording rules'],
    [/[a-z][A-Z]/.test(name), 'snake_case, not camelCase'],
    [type === 'counter' && !name.endsWith('_total'), 'a counter ends in _total'],
    [type !== 'counter' && name.endsWith('_total'), 'only a counter ends in _total'],
    [type !== 'histogram' && type !== 'summary' && ofHistogram.test(name), 'ends like a part of a histogram'],
    [nonBaseUnits.test(name), 'not in base units'],
    [abbreviations.test(name), 'unit abbreviated'],
    [typeWords.test(name), 'type within the name'],
    [new Set(samples.map((row) => row.replace(/ \S+$/, ''))).size !== samples.length, 'a series twice'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, mistake]) => `${name}: ${mistake}`);
}

/** Returns the findings of `promtool check metrics` and of further checks for a scrape; empty when there are none. */
export function findMetricMistakes(text: string): string[] {
  const mistakes: string[] = [];
  if (!text.endsWith('\n')) mistakes.push('the last line has no line break');
  const families = readFamilies(text, (mistake) => mistakes.push(mistake));
  return [...mistakes, ...[...families.values()].flatMap(mistakesOf)];
}
