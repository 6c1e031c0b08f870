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
function bodyDefaults({ requestBody }: Operation): Readonly<Record<string, unknown>> {
  const fields = Object.entries(requestBody?.content['application/json'].schema.properties ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
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
  'virtual:rule-defaults': ({ paths }) =>
    `export const ruleDefaults = ${JSON.stringify(bodyDefaults(paths['/api/ui/alert-rules']?.['post'] ?? {}))};`,
};

/** Provides parts of the contract as the modules of {@link modules}. */
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
