import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileSchema, compileValidator, invalidRequest, toDetails } from './validators.js';

const orNull = (schema: ReturnType<typeof Type.String>) => Type.Optional(Type.Union([schema, Type.Null()]));

const schema = Type.Object(
  {
    name: Type.String({ maxLength: 3 }),
    kind: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] })),
    note: orNull(Type.String({ maxLength: 3 })),
    track: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
    day: Type.Optional(Type.String({ pattern: '^\\d+$' })),
    boxes: Type.Optional(Type.Union([Type.Array(Type.Array(Type.Number())), Type.Null()])),
  },
  { additionalProperties: false },
);

function detailsOf(body: unknown, report: 'all' | 'first' = 'all') {
  const check = compileSchema(schema, report);
  expect(check(body)).toBe(false);
  return toDetails(check.errors ?? [], 'body');
}

const tooLong = { code: 'too_long', values: { limit: 3 } };

describe('toDetails', () => {
  it.each([
    [{}, '/name', 'is required', { code: 'required' }],
    [{ name: 3 }, '/name', 'must be string', { code: 'wrong_type' }],
    [{ name: 'long' }, '/name', 'must NOT have more than 3 characters', tooLong],
    [
      { name: 'a', kind: 'c' },
      '/kind',
      'must be one of a, b',
      { code: 'not_among', values: { values: 'a, b' } },
    ],
    [{ name: 'a', day: 'x' }, '/day', 'is not in the right form', { code: 'wrong_form' }],
    [{ name: 'a', more: 1 }, '/more', 'is not a known field', { code: 'unknown_field' }],
    [{ name: 'a', 'a/b~c': 1 }, '/a~1b~0c', 'is not a known field', { code: 'unknown_field' }],
    [{ name: 'a', note: 'long' }, '/note', 'must NOT have more than 3 characters', tooLong],
    [{ name: 'a', note: 3 }, '/note', 'must be string or null', { code: 'wrong_type' }],
    [{ name: 'a', track: 1.5 }, '/track', 'must be string or integer or null', { code: 'wrong_type' }],
    [{ name: 'a', boxes: [[0], [1, 'x']] }, '/boxes/1/1', 'must be number', { code: 'wrong_type' }],
    [{ name: 'a', boxes: {} }, '/boxes', 'must be array or null', { code: 'wrong_type' }],
    [[], '', 'must be object', { code: 'wrong_type' }],
  ])('%j, is one mistake at %j', (body, path, message, coded) => {
    expect(detailsOf(body)).toEqual([{ path, message, ...coded }]);
    expect(detailsOf(body, 'first')).toEqual([{ path, message, ...coded }]);
  });

  it('several mistakes, are each listed once', () => {
    const details = detailsOf({ note: 5, track: [], boxes: [[null]], more: 1 });
    expect(details.map(({ path }) => path).sort()).toEqual([
      '/boxes/0/0',
      '/more',
      '/name',
      '/note',
      '/track',
    ]);
  });

  it('more mistakes than the limit, are cut off at twenty', () => {
    expect(detailsOf({ name: 'a', boxes: [Array(500).fill('x')] })).toHaveLength(20);
  });

  it('parameters, are named without a slash', () => {
    const validate = compileValidator({
      schema: Type.Object({ limit: Type.Integer(), date: Type.String({ format: 'date' }) }) as object,
      method: 'GET',
      url: '/',
      httpPart: 'querystring',
    });
    const check = validate as unknown as {
      (value: unknown): boolean;
      errors?: Parameters<typeof toDetails>[0];
    };
    expect(check({ limit: 'x', date: '2026-02-30' })).toBe(false);
    expect(toDetails(check.errors ?? [], 'querystring').map(({ path }) => path)).toEqual(['limit', 'date']);
  });
});

describe('compileValidator', () => {
  const compile = (httpPart: string) =>
    compileValidator({
      schema: Type.Object({ limit: Type.Integer() }) as object,
      method: 'GET',
      url: '/',
      httpPart,
    });

  it('parameters, are converted from text, bodies are not', () => {
    const query = { limit: '7' };
    expect(compile('querystring')(query)).toBe(true);
    expect(query).toEqual({ limit: 7 });
    expect(compile('body')({ limit: '7' })).toBe(false);
  });

  it.each(['Infinity', '-Infinity', '1e999', 'NaN', ''])('%j as a parameter, is out of bounds', (limit) => {
    const check = compileValidator({
      schema: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 500 }) }) as object,
      method: 'GET',
      url: '/',
      httpPart: 'querystring',
    });
    expect(check({ limit })).toBe(false);
  });

  const compileParameters = (httpPart: string) => {
    const check = compileValidator({
      schema: Type.Object({
        id: Type.Integer({ minimum: -1_000, maximum: Number.MAX_SAFE_INTEGER }),
        share: Type.Optional(Type.Number()),
        name: Type.Optional(Type.String()),
      }) as object,
      method: 'GET',
      url: '/',
      httpPart,
    }) as unknown as { (value: unknown): boolean; errors: Parameters<typeof toDetails>[0] | null };
    return (value: object) => (check(value) ? value : toDetails(check.errors ?? [], httpPart));
  };

  it.each([
    '0x10',
    '0X10',
    '0b1',
    '0o7',
    ' 16',
    '16 ',
    '\t16',
    '\u00a016',
    '1e3',
    '1E3',
    '+5',
    '1.0',
    '1.',
    '.0',
    '016',
    '00',
    '-0',
    '--1',
    '1_000',
    '١٦',
  ])('%j as an integer parameter, is refused by name', (id) => {
    for (const httpPart of ['params', 'querystring']) {
      const found = compileParameters(httpPart)({ id });
      const code = expect.stringMatching(/^wrong_(type|form)$/);
      expect(found).toEqual([{ path: 'id', message: expect.stringMatching(/^must be (an )?integer/), code }]);
    }
  });

  it.each(['0x1', ' 0.5', '+0.5', '0b1', '.', '1e', '0.5.5'])(
    '%j as a number parameter, is refused by name',
    (share) => {
      const found = compileParameters('querystring')({ id: '1', share });
      const code = expect.stringMatching(/^wrong_(type|form)$/);
      expect(found).toEqual([
        { path: 'share', message: expect.stringMatching(/^must be (a )?number/), code },
      ]);
    },
  );

  it('decimal numbers, are converted, and texts are unchanged', () => {
    const compiled = compileParameters('params');
    expect(compiled({ id: '16', share: '0.50', name: '0x10' })).toEqual({ id: 16, share: 0.5, name: '0x10' });
    expect(compiled({ id: '0', share: '1e-3' })).toEqual({ id: 0, share: 0.001 });
    expect(compiled({ id: '-180', share: '-.5' })).toEqual({ id: -180, share: -0.5 });
    expect(compiled({ id: String(Number.MAX_SAFE_INTEGER) })).toEqual({ id: Number.MAX_SAFE_INTEGER });
  });

  const compileFilters = () => {
    const check = compileValidator({
      schema: Type.Object({
        species_id: Type.Optional(Type.Integer()),
        hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
        seconds: Type.Optional(Type.Number()),
        favorite: Type.Optional(Type.Boolean()),
        source: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['video', 'audio'] })),
        name: Type.Optional(Type.String()),
      }) as object,
      method: 'GET',
      url: '/',
      httpPart: 'querystring',
    });
    return (query: object) => (check(query) ? query : 'refused');
  };

  it.each([
    ...['1', 'true', 'True', 'TRUE', 'yes', 'Yes'].map((favorite) => [favorite, true] as const),
    ...['0', 'false', 'False', 'no', 'NO'].map((favorite) => [favorite, false] as const),
  ])('%s as a boolean of a query, is %s', (favorite, expected) => {
    expect(compileFilters()({ favorite })).toEqual({ favorite: expected });
  });

  it.each(['perhaps', '2', 'on', ' 1'])('%j as a boolean of a query, is refused', (favorite) => {
    expect(compileFilters()({ favorite })).toBe('refused');
  });

  it('an empty optional parameter of a query, counts as absent unless it is text', () => {
    const query = { species_id: '', hour: '', seconds: '', favorite: '', source: '', name: '' };
    const accepted = compileFilters()(query);
    expect(Object.entries(accepted)).toEqual([['name', '']]);
  });

  it('an integer of a query with leading zeros, is accepted unless it is an id', () => {
    expect(compileFilters()({ hour: '06' })).toEqual({ hour: 6 });
    expect(compileFilters()({ hour: '024' })).toBe('refused');
    expect(compileFilters()({ species_id: '06' })).toBe('refused');
  });

  it('a valid request after a refused one, is accepted', () => {
    const compiled = compileParameters('params');
    expect(compiled({ id: '0x10' })).toHaveLength(1);
    expect(compiled({ id: '16' })).toEqual({ id: 16 });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d in a body, is not a number', (limit) => {
    expect(compile('body')({ limit })).toBe(false);
  });
});

describe('invalidRequest', () => {
  it('with several details, has the first as its message', () => {
    const error = invalidRequest([
      { path: '/a', message: 'is required' },
      { path: '/b', message: 'is required' },
    ]);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, message: '/a: is required' });
    expect(error.details).toHaveLength(2);
  });

  it('with a detail without a path, names the body', () => {
    expect(invalidRequest([{ path: '', message: 'must be object' }]).message).toBe('body: must be object');
  });
});
