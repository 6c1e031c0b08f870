import { readdirSync, readFileSync } from 'node:fs';
import { type Operation, readContract } from '@birdhub/gateway/contract';
import { markdownPage, markdownTable } from './markdown-table.js';

const root = new URL('../../', import.meta.url);
const intro = `# Routes

The operations of [openapi.yaml](../openapi.yaml), the service that implements each, and the file that declares it.`;

interface RouteFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the text of `docs/routes.md`. @throws when no file declares an operation */
export function routePage(): string {
  const { operations } = readContract(readFileSync(new URL('openapi.yaml', root), 'utf8'));
  const files = new Map<string, RouteFile[]>();
  const filesOf = (service: string) => {
    const found = files.get(service) ?? listRouteFiles(service);
    files.set(service, found);
    return found;
  };
  const rows = operations.map(({ operationId, method, path, service }) => {
    const declares = new RegExp(`\\b${operationId}\\b`);
    const file = filesOf(service).find(({ text }) => declares.test(text));
    if (file === undefined) throw new Error(`no routes file of ${service} declares ${operationId}`);
    return [
      `\`${method} ${path}\``,
      `\`${operationId}\``,
      `[${file.name}](../services/${service}/src/${file.name})`,
    ];
  });
  const sections = groupByService(operations, rows).map(
    ([service, own]) => `## ${service}\n\n${markdownTable(['Route', 'Operation', 'File'], own)}`,
  );
  return markdownPage([intro, ...sections]);
}

function groupByService(operations: readonly Operation[], rows: readonly string[][]): [string, string[][]][] {
  const services = [...new Set(operations.map(({ service }) => service))].sort();
  return services.map((service) => [
    service,
    rows.filter((_, index) => operations[index]?.service === service),
  ]);
}

/** Returns the `.routes` files of a service; other files may mention an operation without declaring it. */
function listRouteFiles(service: string): RouteFile[] {
  const folder = new URL(`services/${service}/src/`, root);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.routes.ts'))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}
