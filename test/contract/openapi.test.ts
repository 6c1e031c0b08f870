import { readFileSync } from 'node:fs';
import { readContract } from '@birdhub/gateway/contract';
import { tokenScopes } from '@birdhub/shared/app';
import { compileSchema } from '@birdhub/shared/validation';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  contractFile,
  generateContract,
  generateOperations,
  operationsFile,
} from '../../scripts/hub-contract.js';
import { filesOfVersion, hubVersion, packageFile, packageFolders } from '../../scripts/hub-version.js';

const committed = readFileSync(contractFile, 'utf8');
const { version, operations } = readContract(committed);
const readJson = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

/** First words of summaries; add further verbs here. */
const imperative =
  /^(Add|Apply|Cancel|Change|Compare|Confirm|Correct|Count|Create|Delete|Dispense|Download|Edit|Export|Get|Import|List|Lock|Merge|Pause|Preview|Purge|Reconcile|Redirect|Regenerate|Repair|Replace|Report|Restart|Resume|Revert|Revoke|Send|Set|Store|Stream|Subscribe|Test|Toggle|Unlock|Unsubscribe|Write) [^.]*$/;

interface Shown {
  readonly schema: object;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, Shown>>;

interface OperationObject {
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Shown & { readonly name: string; readonly required: boolean })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface ContractDocument {
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly responses: object };
}

/** Returns a value with its references resolved. */
function dereference(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => dereference(part, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, dereference(part, document)]));
  const keys = $ref.slice('#/'.length).split('/');
  return dereference(
    keys.reduce((at, key) => Reflect.get(at as object, key), document),
    document,
  );
}

/** Places for examples of an operation; required parameters, JSON and text need one. */
function examplePlaces({ parameters = [], requestBody, responses }: OperationObject) {
  const bodies: Record<string, { readonly content?: Content }> = { ...responses };
  if (requestBody) bodies['body'] = requestBody;
  const contents = Object.entries(bodies).flatMap(([at, { content = {} }]) =>
    Object.entries(content).map(([type, { schema, example }]) => {
      const isNeeded = /json$|^text\//.test(type);
      return { at: `${at} ${type}`, schema, example, isNeeded };
    }),
  );
  const given = parameters.map(({ name, required, schema, example }) => {
    return { at: name, schema, example, isNeeded: required };
  });
  return [...given, ...contents];
}

/** Keys that hold sample values rather than schemas. */
const noSchemas = new Set(['default', 'enum', 'example', 'examples', 'value']);

/** Returns the places of parameters and properties without a description or a reference. */
function undescribed(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isParameter = 'in' in value && 'schema' in value && !('description' in value);
  const { properties } = value as { properties?: Readonly<Record<string, object>> };
  const bare = Object.entries(properties ?? {}).filter(([, one]) => !('description' in one || '$ref' in one));
  const inner = Object.entries(value).filter(([key]) => !noSchemas.has(key) || key in (properties ?? {}));
  return [
    ...(isParameter ? [at] : []),
    ...bare.map(([name]) => `${at}/${name}`),
    ...inner.flatMap(([key, part]) => undescribed(part, `${at}/${key}`)),
  ];
}

describe('openapi.yaml', () => {
  test('generated again from the routes, is identical', async () => {
    const regenerated = await generateContract();
    expect(regenerated === committed, 'run `npm run contract` and commit openapi.yaml').toBe(true);
  });

  test('generated again for the gateway, gives the same operations', () => {
    const regenerated = generateOperations(committed) === readFileSync(operationsFile, 'utf8');
    expect(regenerated, 'run `npm run contract` and commit what it makes').toBe(true);
  });

  test('for main operations, names the service of each', () => {
    const served = Object.fromEntries(
      operations.map(({ method, path, service }) => [`${method} ${path}`, service]),
    );
    expect(served).toMatchObject({
      'GET /api/ui/health': 'gateway',
      'GET /api/ui/readiness': 'gateway',
      'GET /unknowns': 'gateway',
      'GET /openapi.yaml': 'gateway',
      'GET /docs': 'gateway',
      'POST /api/processor/videos': 'ingest',
      'PUT /api/processor/species/active': 'ingest',
      'POST /api/processor/notify/detections': 'ingest',
      'POST /api/processor/notify/motion': 'ingest',
      'POST /api/processor/activity_log': 'ingest',
      'GET /api/ui/timeline': 'query',
      'GET /api/ui/videos/{id}': 'query',
      'GET /data/recordings/{path}': 'query',
    });
  });

  test.each(operations)(
    '$method $path, in its access rule, names known schemes and roles',
    ({ path, security }) => {
      const roles = ['contributor', 'admin'].map((role) => ({ session: [role] }));
      const scopes = tokenScopes.map((scope) => ({ token: [scope] }));
      const known = [...roles, ...scopes, { mcp: [] }, { processor: [] }];
      for (const requirement of security) expect(known).toContainEqual(requirement);
      const isProcessors = path.startsWith('/api/processor/');
      expect(security.some((requirement) => 'processor' in requirement)).toBe(isProcessors);
    },
  );
});

describe('the contract', () => {
  const document = parse(committed) as ContractDocument;
  const { servers, tags, paths, components } = document;
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );

  test('servers and tags, are described', () => {
    const used = new Set(described.flatMap((operation) => operation.tags));
    expect(servers).toEqual([{ url: '/', description: 'This hub' }]);
    expect(new Set(tags.map(({ name }) => name))).toEqual(used);
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });

  test.each(described)('$name, has an imperative summary, one tag and named 4XX responses', (operation) => {
    expect(operation.summary).toMatch(imperative);
    expect(operation.tags).toHaveLength(1);
    const errors = Object.entries(operation.responses).filter(([status]) => /^(4..|default)$/.test(status));
    expect(errors.length).toBeGreaterThanOrEqual(4);
    for (const [, response] of errors) {
      const name = /^#\/components\/responses\/(\w+)$/.exec(response.$ref ?? '')?.[1];
      expect(Object.keys(components.responses)).toContain(name);
    }
  });

  test.each(described)('$name, has examples that fit their schemas', (operation) => {
    const places = examplePlaces(dereference(operation, document) as OperationObject);
    expect(places.filter(({ isNeeded, example }) => isNeeded && example === undefined)).toEqual([]);
    for (const { at, schema, example } of places.filter((place) => place.example !== undefined)) {
      const validate = compileSchema(schema, 'all');
      validate(example);
      expect([at, validate.errors]).toEqual([at, null]);
    }
  });

  test('parameters and properties, all, have a description', () => {
    expect(undescribed({ paths, components }, '')).toEqual([]);
  });
});

describe('the version of the hub', () => {
  test('in VERSION, contract, every package.json and the lock file, is the same', () => {
    const lock = readJson('package-lock.json');
    const versions = {
      VERSION: hubVersion(),
      'openapi.yaml': version,
      ...Object.fromEntries(
        packageFolders().map((folder) => [packageFile(folder), readJson(packageFile(folder)).version]),
      ),
      ...Object.fromEntries(
        packageFolders().map((folder) => [`lock ${folder}`, lock.packages[folder].version]),
      ),
    };
    expect(Object.keys(versions).length).toBeGreaterThan(16);
    expect(new Set(Object.values(versions)), JSON.stringify(versions)).toEqual(new Set([hubVersion()]));
  });

  test('set to its current value, leaves every file unchanged', () => {
    for (const { file, text } of filesOfVersion(hubVersion())) {
      const own = readFileSync(file, 'utf8');
      if (file.pathname.endsWith('.json')) expect(JSON.parse(text)).toEqual(JSON.parse(own));
      else expect(text.trim()).toBe(own.trim());
    }
  });

  test('set to another value, replaces the old one everywhere', () => {
    const other = filesOfVersion('9.8.7');
    expect(other.length).toBeGreaterThan(10);
    for (const { file, text } of other) {
      expect(text, file.pathname).toContain('9.8.7');
      expect(text, file.pathname).not.toMatch(/"@birdhub\/\w+": "(?!9\.8\.7)/);
    }
  });
});
