import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readUserAgent } from './external-service.js';

it('readUserAgent, asked, names the hub with its version', () => {
  const version = readFileSync(new URL('../../../../VERSION', import.meta.url), 'utf8').trim();
  expect(readUserAgent()).toContain(`Birdhub/${version} (`);
});
