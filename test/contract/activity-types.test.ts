import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hubActivityTypes } from '@birdhub/domain/activity';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const sources = ['packages', 'services'];
const written =
  /(?:INSERT INTO activity_log \(type, data[^)]*\)\s*(?:VALUES \(|SELECT )|activityLog\.create\(\{ data: \{ type: )'([a-z_]+)'/g;

it('activity types, when written by the hub, are reserved for it', () => {
  const types = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(?:^|\/)(?:dist|node_modules)\//.test(file),
      )
      .flatMap((file) =>
        [...readFileSync(join(root, folder, file), 'utf8').matchAll(written)].map(([, type]) => type),
      ),
  );
  expect(types).toContain('settings_change');
  expect(types.filter((type) => !hubActivityTypes.some((known) => known === type))).toEqual([]);
});
