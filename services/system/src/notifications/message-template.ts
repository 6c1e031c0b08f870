import { refused } from '@birdhub/shared/errors';

/** The placeholders of templates, such as `{species}`. */
export const placeholders = [
  'species',
  'scientific_name',
  'time',
  'date',
  'camera',
  'count',
  'confidence',
  'days_away',
  'minutes',
  'source',
  'rule',
  'hub',
] as const;

/** One of {@link placeholders}. */
type Placeholder = (typeof placeholders)[number];

/** The values of placeholders; absent ones are empty. */
export type TemplateValues = Readonly<Partial<Record<Placeholder, string>>>;

export const maxTemplateLength = 500;

const pattern = /\{([^{}\n]*)\}/g;

/** Rejects unknown placeholders. @throws HubError invalid_request naming the field */
export function checkTemplate(template: string, path: string): void {
  for (const [match, name] of template.matchAll(pattern)) {
    if (!(placeholders as readonly string[]).includes(name ?? ''))
      throw refused(path, 'placeholder', {
        placeholder: match,
        known: placeholders.map((one) => `{${one}}`).join(', '),
      });
  }
}

/** Fills a template. Returns the first line as the title and the rest as the body, both plain text. */
export function fillTemplate(template: string, values: TemplateValues): { title: string; body: string } {
  const [first = '', ...rest] = template.split('\n');
  const fill = (text: string) =>
    text.replaceAll(pattern, (match, name: string) =>
      (placeholders as readonly string[]).includes(name) ? (values[name as Placeholder] ?? '') : match,
    );
  return { title: fill(first).trim(), body: fill(rest.join('\n')).trim() };
}
