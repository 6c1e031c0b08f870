import { isDeepStrictEqual } from 'node:util';

/** A parameter of an operation in the document. */
interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** An operation of the document, as far as it is looked at here. */
interface Operation {
  readonly tags?: readonly string[];
  parameters?: (Parameter | { readonly $ref: string })[];
}

/** One parameter and the operations that have exactly it. */
interface Use {
  readonly parameter: Parameter;
  readonly key: string;
  readonly operations: Operation[];
}

const toPascalCase = (name: string) =>
  name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `Video` of `/api/ui/videos/{id}`; nothing for a path whose parameter is not an id. */
function ownerOf(path: string): string {
  const [, folder = ''] = /\/([a-z_-]+)\/\{id\}/.exec(path) ?? [];
  return toPascalCase(folder === 'species' ? folder : folder.replace(/s$/, ''));
}

function findUses(paths: Readonly<Record<string, object>>): Use[] {
  const uses: Use[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const operation of Object.values(item) as Operation[]) {
      for (const parameter of (operation.parameters ?? []) as Parameter[]) {
        const isId = parameter.in === 'path' && parameter.name === 'id';
        const key = toPascalCase(isId ? `${ownerOf(path)}Id` : parameter.name);
        const known = uses.find((use) => use.key === key && isDeepStrictEqual(use.parameter, parameter));
        if (known) known.operations.push(operation);
        else uses.push({ parameter, key, operations: [operation] });
      }
    }
  }
  return uses;
}

/** Moves parameters that several operations share to the components, which it returns, and leaves references. */
export function shareParameters(paths: Readonly<Record<string, object>>): Record<string, object> {
  const shared = findUses(paths).filter(({ operations }) => operations.length > 1);
  const named = shared.map((use) => {
    const isUnique = shared.every((other) => other === use || other.key !== use.key);
    const [tag = ''] = use.operations[0]?.tags ?? [];
    const isPlain = isUnique || use.parameter.in === 'path';
    return { ...use, name: isPlain ? use.key : toPascalCase(tag) + use.key };
  });
  for (const { parameter, name, operations } of named) {
    for (const operation of operations) {
      operation.parameters = (operation.parameters ?? []).map((own) =>
        isDeepStrictEqual(own, parameter) ? { $ref: `#/components/parameters/${name}` } : own,
      );
    }
  }
  const components = Object.fromEntries(named.map(({ name, parameter }) => [name, parameter]));
  if (Object.keys(components).length < named.length)
    throw new Error('Two shared parameters have the same name');
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
