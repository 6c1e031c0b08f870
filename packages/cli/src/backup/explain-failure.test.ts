import { LauncherError } from '@birdhub/launcher/launcher-error';
import { describe, expect, it } from 'vitest';
import {
  explainDatabaseError,
  explainReadError,
  explainRestoreError,
  explainWriteError,
} from './explain-failure.js';

const failure = (code: string, message = 'raw') => Object.assign(new Error(message), { code });
const messageOf = (error: unknown) => (error instanceof LauncherError ? error.message : undefined);

describe('explainWriteError', () => {
  it.each([
    ['ENOSPC', '/mnt/hub.backup cannot be written: the disk is full.'],
    ['ENOENT', '/mnt/hub.backup cannot be written: its folder does not exist.'],
    ['EROFS', '/mnt/hub.backup cannot be written: this user has no permission, or the disk is read-only.'],
  ])('%s, becomes a sentence about the file', (code, sentence) => {
    expect(messageOf(explainWriteError(failure(code), '/mnt/hub.backup'))).toBe(sentence);
  });

  it.each([failure('toString'), failure('EIO'), new Error('raw'), 'raw'])(
    '%s, is returned as it is',
    (error) => {
      expect(explainWriteError(error, 'x')).toBe(error);
    },
  );
});

describe('explainReadError', () => {
  it('an unknown error, is reported as damage', () => {
    expect(messageOf(explainReadError(failure('Z_DATA_ERROR', 'incorrect data check'), 'x'))).toBe(
      'x is damaged (incorrect data check). Nothing was changed.',
    );
  });

  it('an error that is already a sentence, is returned as it is', () => {
    const sentence = new LauncherError('Stopped.');
    expect(explainReadError(sentence, 'x')).toBe(sentence);
  });
});

describe('explainDatabaseError and explainRestoreError', () => {
  it('a full disk of the server, becomes a sentence in both', () => {
    expect(messageOf(explainDatabaseError(failure('53100')))).toContain('disk of the database is full');
    expect(explainRestoreError(failure('53100')).message).toContain('disk of the database is full');
  });

  it('an unexpected error, is returned by the one and explained with its cause by the other', () => {
    const error = new Error('migration x failed', { cause: new Error('no such column') });
    expect(explainDatabaseError(error)).toBe(error);
    expect(explainRestoreError(error).message).toBe(
      'The backup was not restored (migration x failed: no such column). Nothing was changed.',
    );
  });
});
