import { FfmpegMissingError } from '@birdhub/demo/clips';
import {
  ProcessorNetworkError,
  ProcessorResponseError,
} from '@birdhub/testing/processor-client/processor-error';
import { describe, expect, it } from 'vitest';
import { explainFailure } from './explain-failure.js';
import { OptionError } from './options.js';

const hub = 'http://localhost:8080';
const answered = (status: number) => new ProcessorResponseError('POST /videos', status, 'some_code', '{}');

describe('explainFailure', () => {
  it.each([
    [
      'a hub that cannot be reached',
      new ProcessorNetworkError('POST', new Error('ECONNREFUSED')),
      'npm start',
    ],
    ['a wrong token', answered(403), 'PROCESSOR_SECRET'],
    ['another server', answered(404), 'base path'],
    ['a refused recording', answered(400), '400 some_code'],
    ['a missing ffmpeg', new FfmpegMissingError('no'), 'sudo apt-get install ffmpeg'],
    ['a wrong option', new OptionError('--days must be a number.'), '--help'],
  ])('for %s, suggests what to do', (_, error, words) => {
    expect(explainFailure(error, hub)).toContain(words);
  });

  it('for an unexpected error, returns undefined', () => {
    expect(explainFailure(new TypeError('x is not a function'), hub)).toBeUndefined();
  });
});
