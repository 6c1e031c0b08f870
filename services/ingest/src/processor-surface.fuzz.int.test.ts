import { readExpectedState, readStoredState } from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  createTestIngest,
  type TestIngest,
} from './testing/create-test-ingest.js';

/** Lone surrogates, control characters, names equal after case folding, and anything else in UTF-16. */
const anyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '\u0085',
    '\u200b',
    "'",
    'ﷺ'.repeat(60),
    '../x',
    '\\',
    '__proto__',
    '2026-05-01T11:00:00Z',
  ),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units)),
);

const anyNumber = fc.oneof(
  fc.constantFrom('1e999', '-1e999', '5e-324', '-0', '9007199254740993', '1e308', '0.1e-7', '1E400'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
);

const anyLeaf = fc.oneof(
  anyText.map((text) => JSON.stringify(text)),
  anyNumber,
  fc.constantFrom('null', 'true', 'false', '[]', '{}', `${'['.repeat(8_000)}${']'.repeat(8_000)}`),
);

/** JSON text of any value, with numbers that JavaScript cannot write. */
const anyJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: anyLeaf },
  { weight: 1, arbitrary: fc.array(anyLeaf, { maxLength: 4 }).map((parts) => `[${parts.join(',')}]`) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(anyText, anyLeaf), { maxLength: 4 })
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  },
);

const valid: readonly (readonly ['POST' | 'PUT', string, unknown])[] = [
  [
    'POST',
    '/videos',
    aRecordingBody({
      trigger_source: 'motion',
      spectrogram_path: 'a.jpg',
      species: [
        aDetectionBody({ track_id: 1, frames: [{ t: 0, bbox: [0, 0, 1, 1] }] }),
        aDetectionBody({ species_name: 'Robin', source: 'audio', detection_provider: 'ears' }),
      ],
    }),
  ],
  ['PUT', '/species/active', ['Great Tit', 'Robin', 'Wren']],
  ['POST', '/activity_log', { type: 'heartbeat', id: 3, data: { started_at: 'x', acked_commands: [1, 2] } }],
  [
    'POST',
    '/notify/detections',
    { detection: 'Wren', image_base64: '/9j/4AAQSkZJRgAB', image_path: 'a', link: 'b' },
  ],
  ['POST', '/notify/motion', {}],
];

/** The start and end of every value in a JSON text. */
function valuePlaces(text: string): [number, number][] {
  const places: [number, number][] = [];
  const leaf = /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.e+-]*|true|false|null/g;
  for (const match of text.matchAll(leaf)) places.push([match.index, match.index + match[0].length]);
  for (const [at, letter] of [...text].entries()) if (letter === '{' || letter === '[') places.push([at, at]);
  return places;
}

/** A valid request with one or two of its values replaced by arbitrary ones. */
const anyRequest = fc
  .tuple(fc.constantFrom(...valid), fc.array(fc.tuple(fc.nat(), anyJson), { minLength: 1, maxLength: 2 }))
  .map(([[method, path, body], changes]) => {
    let text = JSON.stringify(body);
    for (const [choice, value] of changes) {
      const places = valuePlaces(text);
      const [from, to] = places[choice % Math.max(1, places.length)] ?? [0, text.length];
      const isKeyed = text[from] === '{' && from === to;
      const added = isKeyed ? `{"added":${value}${text[from + 1] === '}' ? '' : ','}` : value;
      text = text.slice(0, from) + added + text.slice(isKeyed ? from + 1 : to);
    }
    return { method, path, text };
  });

let hub: TestIngest;
const statuses = new Set<number>();
beforeAll(async () => {
  hub = await createTestIngest();
});
afterAll(() => hub.close());

it('processor API, with arbitrary bodies, never returns 500', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ method, path, text }) => {
      const { status, body } = await hub.send(method, path, text);
      statuses.add(status);
      expect([200, 201, 400, 404, 413]).toContain(status);
      if (status === 400) expect(body.details.length).toBeGreaterThan(0);
    }),
    { numRuns: 400 },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400]));
  expect(await readStoredState(hub.database.pool)).toEqual(await readExpectedState(hub.database.pool));
});
