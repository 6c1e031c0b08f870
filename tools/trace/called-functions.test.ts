import { describe, expect, it } from 'vitest';
import { filesOf, listCalled, type ScriptCoverage, toSourceFile } from './called-functions.js';

const script = (
  url: string,
  ...functions: [name: string, start: number, count: number][]
): ScriptCoverage => ({
  url,
  functions: functions.map(([functionName, startOffset, count]) => ({
    functionName,
    ranges: [{ startOffset, endOffset: startOffset + 10, count }],
  })),
});
const root = 'file:///hub';

describe('toSourceFile', () => {
  it.each([
    [
      `${root}/services/query/dist/timeline/timeline.store.js`,
      'services/query/src/timeline/timeline.store.ts',
    ],
    [`${root}/packages/shared/dist/db/database.js`, 'packages/shared/src/db/database.ts'],
    [`${root}/node_modules/fastify/fastify.js`, undefined],
    ['node:fs', undefined],
  ])('%s, maps to %s', (url, file) => {
    expect(toSourceFile(url)).toBe(file);
  });
});

describe('listCalled', () => {
  it('with functions called and not called, lists the called ones without the module body', () => {
    const url = `${root}/services/query/dist/app.js`;
    const called = listCalled([script(url, ['', 0, 1], ['list', 40, 2], ['find', 80, 0])]);
    expect(called).toEqual([{ file: 'services/query/src/app.ts', key: 'services/query/src/app.ts:40:list' }]);
  });

  it('with scripts of npm packages, leaves them out', () => {
    expect(listCalled([script(`${root}/node_modules/pg/lib/client.js`, ['query', 40, 2])])).toEqual([]);
  });
});

describe('filesOf', () => {
  const call = (file: string, name = 'run') => ({ file, key: `${file}:40:${name}` });

  it('functions that also run in an idle hub, are ignored', () => {
    const repetition = [call('a.ts', 'poll'), call('b.ts', 'poll'), call('b.ts', 'write')];
    expect(filesOf([repetition], [call('a.ts', 'poll'), call('b.ts', 'poll')])).toEqual(['b.ts']);
  });

  it('files of one repetition only, are ignored', () => {
    expect(
      filesOf(
        [
          [call('b.ts'), call('a.ts'), call('timer.ts')],
          [call('a.ts'), call('b.ts')],
        ],
        [],
      ),
    ).toEqual(['a.ts', 'b.ts']);
  });
});
