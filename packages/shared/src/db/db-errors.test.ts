import { describe, expect, it } from 'vitest';
import { isTransient, translateDatabaseError } from './db-errors.js';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('boom'), { code, ...more });

describe('translateDatabaseError', () => {
  it.each([
    ['ECONNREFUSED', 'database_unavailable', 5],
    ['EAI_AGAIN', 'database_unavailable', 5],
    ['EHOSTUNREACH', 'database_unavailable', 5],
    ['ERR_STREAM_DESTROYED', 'database_unavailable', 5],
    ['57P01', 'database_unavailable', 5],
    ['57P03', 'database_unavailable', 5],
    ['08006', 'database_unavailable', 5],
    ['25006', 'database_unavailable', 5],
    ['53300', 'database_unavailable', 5],
    ['53100', 'storage_full', 60],
    ['ENOSPC', 'storage_full', 60],
    ['40001', 'overloaded', 1],
    ['40P01', 'overloaded', 1],
    ['53200', 'overloaded', 1],
  ])('%s, becomes %s and may be repeated', (code, expected, retryAfterSeconds) => {
    const error = withCode(code);
    expect(translateDatabaseError(error)).toMatchObject({ code: expected, retryAfterSeconds, cause: error });
  });

  it.each([
    ['ENOENT', 'open'],
    ['EAGAIN', 'spawn'],
  ])('%s when connecting to a Unix socket, is database_unavailable; of %s it is not', (code, syscall) => {
    const error = withCode(code, { syscall: 'connect' });
    expect(translateDatabaseError(error)).toMatchObject({
      code: 'database_unavailable',
      retryAfterSeconds: 5,
      cause: error,
    });
    expect(translateDatabaseError(withCode(code, { syscall }))).toBeUndefined();
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('"%s", is database_unavailable', (message) => {
    expect(translateDatabaseError(new Error(message))?.code).toBe('database_unavailable');
  });

  it.each([
    withCode('23505'),
    withCode('42P01'),
    withCode('22P02'),
    new Error('boom'),
    'boom',
    null,
    undefined,
  ])('%s, is not translated', (error) => {
    expect(translateDatabaseError(error)).toBeUndefined();
  });
});

describe('isTransient', () => {
  it('a deadlock and a serialization failure, are transient, other errors are not', () => {
    const codes = ['40001', '40P01', '23505', '57P01'];
    expect(codes.map((code) => isTransient(withCode(code)))).toEqual([true, true, false, false]);
  });
});
