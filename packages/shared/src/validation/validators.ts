import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { type ErrorDetail, HubError } from '../errors/index.js';

const maxDetails = 20;
/** Maximum errors of a body that are processed. */
const maxErrors = 200;
const common = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  strictNumbers: true,
  // Validating schemas takes a fifth of the CPU time of a start; linting the contract covers it.
  validateSchema: false,
  code: { optimize: false },
} as const;

/** Bodies are not coerced: a number in quotes is an error. */
const bodies = new Ajv({ ...common, coerceTypes: false });
/** Parameters are coerced from text; with `strictNumbers` bounds would not be checked against infinity. */
const parameters = new Ajv({ ...common, strictNumbers: false, coerceTypes: true });
/** Stops at the first error, for values that may have many. */
const firstErrorOnly = new Ajv({ ...common, allErrors: false });
for (const ajv of [bodies, parameters, firstErrorOnly]) formats.default(ajv);

/** The accepted forms of numbers in parameters; JavaScript would also accept `0x10` and ` 16`. */
const spellings = [
  { type: 'integer', form: /^(?:0|-?[1-9]\d*)$/, message: 'must be an integer in plain decimal digits' },
  {
    type: 'number',
    form: /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
    message: 'must be a number in decimal digits',
  },
] as const;

/** Spellings of booleans in queries, in lower case. */
const booleanSpellings = new Map([
  ['1', 'true'],
  ['yes', 'true'],
  ['0', 'false'],
  ['no', 'false'],
]);

interface ParameterTypes {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: unknown }>>;
  readonly required?: readonly string[];
}

const isId = (name: string) => /(?:^|_)id$/.test(name);

/** Rewrites a query to the forms that are validated; an empty optional parameter is removed unless it is text. */
function normalizeQuery({ properties = {}, required = [] }: ParameterTypes, query: Record<string, unknown>) {
  for (const [name, { type, enum: values }] of Object.entries(properties)) {
    const value = query[name];
    if (typeof value !== 'string' || (type === 'string' && !values)) continue;
    const lowerCase = value.toLowerCase();
    if (value === '' && !required.includes(name)) delete query[name];
    else if (type === 'boolean') query[name] = booleanSpellings.get(lowerCase) ?? lowerCase;
    else if (type === 'integer' && !isId(name)) query[name] = value.replace(/^0+(?=\d)/, '');
  }
}

/** Finds numeric parameters in another form; with only one form, each id has exactly one URL. */
function findMisspellings(schema: ParameterTypes): (values: unknown) => ErrorObject[] {
  const checks = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    spellings.filter((spelling) => spelling.type === type).map((spelling) => ({ name, ...spelling })),
  );
  return (values) =>
    checks.flatMap(({ name, form, message }) => {
      const value = (values as Record<string, unknown>)[name];
      if (typeof value !== 'string' || form.test(value)) return [];
      const instancePath = `/${escapePointer(name)}`;
      return [
        { keyword: 'spelling', instancePath, schemaPath: `#/properties${instancePath}`, params: {}, message },
      ];
    });
}

/** Compiles a validator of parameters that coerces them from text and checks the form of numbers. */
function compileParameters(schema: ParameterTypes, httpPart: string | undefined) {
  const findIn = findMisspellings(schema);
  const validate = parameters.compile(schema);
  function check(values: unknown): boolean {
    if (httpPart === 'querystring') normalizeQuery(schema, values as Record<string, unknown>);
    // Checked before the coercion.
    const misspelt = findIn(values);
    const isValid = validate(values);
    const errors = validate.errors ?? [];
    const named = new Set(errors.map(({ instancePath }) => instancePath));
    const all = [...errors, ...misspelt.filter(({ instancePath }) => !named.has(instancePath))];
    check.errors = all.length ? all : null;
    return isValid && !misspelt.length;
  }
  check.errors = null as ErrorObject[] | null;
  return check;
}

interface Validator {
  (values: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Returns a validator that is compiled on its first use, as compiling all of them takes a large part of a start. */
function compileWhenUsed(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  const validate: Validator = (values) => {
    compiled ??= compile();
    const result = compiled(values);
    validate.errors = compiled.errors ?? null;
    return result;
  };
  return validate;
}

/** Creates the validators of routes: strict for bodies, with coercion for parameters. */
export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  compileWhenUsed(() =>
    httpPart === 'body' ? bodies.compile(schema as object) : compileParameters(schema as object, httpPart),
  ) as ReturnType<FastifySchemaCompiler<FastifySchema>>;

/** Creates a strict validator; `first` stops at the first error. */
export function compileSchema(schema: object, report: 'all' | 'first'): Validator {
  return compileWhenUsed(() => (report === 'all' ? bodies : firstErrorOnly).compile(schema));
}

const listOr = (words: readonly string[]) => [...new Set(words)].join(' or ');

/** Joins the errors of the alternatives of a union into one. */
function joinAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  let joined = [...errors];
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    const inside = joined.filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(`${union.schemaPath}/`) &&
        `${instancePath}/`.startsWith(`${union.instancePath}/`),
    );
    const types = inside.filter(
      ({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath,
    );
    const isOfRightType = inside.length > types.length;
    const message = `must be ${listOr(types.map((error) => String(error.params['type'])))}`;
    joined = joined.flatMap((error) => {
      if (types.includes(error)) return [];
      if (error !== union) return [error];
      return isOfRightType ? [] : [{ ...union, ...(types.length && { message }) }];
    });
  }
  return joined;
}

/** Escapes a key for a JSON Pointer (RFC 6901). */
export const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function detailPath(error: ErrorObject, part: string): string {
  const inside = error.params['missingProperty'] ?? error.params['additionalProperty'];
  const pointer =
    inside === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(inside)}`;
  return part === 'body' ? pointer : pointer.slice(1);
}

function detailMessage(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not a known field';
  if (error.keyword === 'enum') return `must be one of ${error.params['allowedValues'].join(', ')}`;
  // A regular expression does not help users.
  if (error.keyword === 'pattern') return 'is not in the right form';
  return error.message ?? 'is not valid';
}

type Coded = Pick<ErrorDetail, 'code' | 'values'>;

const limited = (code: string, { limit }: ErrorObject['params']): Coded => ({ code, values: { limit } });
/** A text or list with a minimum length of one is reported as required. */
const belowMinimum = (code: string, params: ErrorObject['params']): Coded =>
  params['limit'] === 1 ? { code: 'required' } : limited(code, params);

const codes: Readonly<Record<string, (params: ErrorObject['params']) => Coded>> = {
  required: () => ({ code: 'required' }),
  additionalProperties: () => ({ code: 'unknown_field' }),
  enum: (params) => ({ code: 'not_among', values: { values: params['allowedValues'].join(', ') } }),
  type: () => ({ code: 'wrong_type' }),
  anyOf: () => ({ code: 'wrong_type' }),
  pattern: () => ({ code: 'wrong_form' }),
  format: () => ({ code: 'wrong_form' }),
  spelling: () => ({ code: 'wrong_form' }),
  minimum: (params) => limited('too_small', params),
  maximum: (params) => limited('too_large', params),
  exclusiveMinimum: (params) => limited('not_above', params),
  exclusiveMaximum: (params) => limited('not_below', params),
  minLength: (params) => belowMinimum('too_short', params),
  maxLength: (params) => limited('too_long', params),
  minItems: (params) => belowMinimum('too_few', params),
  maxItems: (params) => limited('too_many', params),
  uniqueItems: () => ({ code: 'repeated' }),
};

/** Returns the invalid fields according to the errors of a validator, at most twenty. */
export function toDetails(errors: readonly ErrorObject[], part: string): ErrorDetail[] {
  return joinAlternatives(errors.slice(0, maxErrors))
    .filter((error) => error.keyword !== 'if')
    .slice(0, maxDetails)
    .map((error) => ({
      path: detailPath(error, part),
      message: detailMessage(error),
      ...codes[error.keyword]?.(error.params),
    }));
}

/** Returns an `invalid_request` whose message names the first invalid field. */
export function invalidRequest(details: readonly ErrorDetail[]): HubError {
  const [first] = details;
  const message = first ? `${first.path || 'body'}: ${first.message}` : undefined;
  return new HubError('invalid_request', { ...(message && { message }), details });
}
