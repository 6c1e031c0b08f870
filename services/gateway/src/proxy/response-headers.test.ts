import { expect, test } from 'vitest';
import { answeredHeaders } from './response-headers.js';

test('answeredHeaders, an answer of a service, keeps what is for the client only', () => {
  const pairs = answeredHeaders(
    {
      'content-type': 'text/plain',
      connection: 'keep-alive, x-mine',
      'x-mine': '1',
      'keep-alive': 'timeout=75',
      'transfer-encoding': 'chunked',
      'x-hub-bell': 'a:1',
      'x-hub-any': '1',
      'x-request-id': 'other',
    },
    { 'x-request-id': 'r1' },
  );
  expect(pairs).toEqual(['x-request-id', 'r1', 'content-type', 'text/plain']);
});

test('answeredHeaders, a header that comes twice, stays two', () => {
  const pairs = answeredHeaders({ 'set-cookie': ['a=1', 'b=2'] }, {});
  expect(pairs).toEqual(['set-cookie', 'a=1', 'set-cookie', 'b=2']);
});

test('answeredHeaders, what gateway and service both vary by, is joined', () => {
  const own = { vary: 'Origin', 'x-frame-options': 'SAMEORIGIN' };
  expect(answeredHeaders({ vary: 'Accept', 'x-frame-options': 'DENY' }, own)).toEqual([
    'vary',
    'Origin, Accept',
    'x-frame-options',
    'SAMEORIGIN',
  ]);
});
