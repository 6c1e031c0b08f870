import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { parse } from 'yaml';

const contract = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

interface Operation {
  readonly security?: readonly object[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
      };
    };
  };
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Settings: unknown } };
}

const needsAdmin = (security: readonly object[] = []) =>
  security.some((one) => 'session' in one && JSON.stringify(one.session) === '["admin"]');

/** Returns the defaults of the fields in the body of an operation. */
function bodyDefaults({ paths }: Contract, method: string, path: string): Readonly<Record<string, unknown>> {
  const fields = paths[path]?.[method]?.requestBody?.content['application/json'].schema.properties;
  if (!fields) throw new Error(`openapi.yaml has no fields in the body of ${method} ${path}`);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
  );
}

/** Functions that return the source of each virtual module. */
const modules: Readonly<Record<string, (contract: Contract) => string>> = {
  'virtual:settings-schema': ({ components }) =>
    `export const settingsSchema = ${JSON.stringify(components.schemas.Settings)};`,
  'virtual:admin-operations': ({ paths }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => needsAdmin(security))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    return `export const adminOperations = ${JSON.stringify(operations)};`;
  },
  'virtual:rule-defaults': (all) =>
    `export const ruleDefaults = ${JSON.stringify(bodyDefaults(all, 'post', '/api/ui/alert-rules'))};`,
};

/** Provides parts of the contract as virtual modules. */
export function contractFacts(): Plugin {
  return {
    name: 'birdhub:contract-facts',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load(id) {
      const write = modules[id.slice(1)];
      if (!id.startsWith('\0') || write === undefined) return undefined;
      this.addWatchFile(contract);
      return write(parse(readFileSync(contract, 'utf8')) as Contract);
    },
  };
}
