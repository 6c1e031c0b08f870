import { describe, expect, it } from 'vitest';
import { toArguments } from './settings.js';

describe('toArguments', () => {
  it('nothing asked for, keeps every commit on disk', () => {
    expect(toArguments()).toEqual(expect.arrayContaining(['fsync=on', 'synchronous_commit=on']));
  });

  it('nothing asked for, listens on no network', () => {
    expect(toArguments()).toContain('listen_addresses=');
  });

  it('a setting asked for, stands once and in place of the default', () => {
    const fsync = toArguments({ fsync: 'off' }).filter((argument) => argument.startsWith('fsync='));
    expect(fsync).toEqual(['fsync=off']);
  });
});
