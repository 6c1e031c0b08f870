import { readFileSync } from 'node:fs';
import type { ContractExamples, Operation, OperationExample } from '@birdhub/gateway/contract';
import { parse } from 'yaml';
import { type Example, readExamples } from './guide-blocks.js';

/** Whether a path with shell variables matches an operation: `/api/ui/videos/$VIDEO` matches `/api/ui/videos/:id`. */
function matches({ pathPattern }: Operation, path: string): boolean {
  const parts = path.split('/');
  const pattern = pathPattern.split('/');
  return (
    parts.length === pattern.length &&
    pattern.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at]?.startsWith('$')))
  );
}

/** Converts a call of `curl` to an example of its operation; undefined when its output is not shown in the guide. */
function toExample(call: string, { language, text }: Example['response']): OperationExample | undefined {
  const isError = language === 'json' && text.includes('"request_id"');
  if (isError || / -[ow] /.test(call)) return undefined;
  const [, sent] = /-d '([\s\S]*)'/.exec(call) ?? [];
  const body = sent === undefined ? {} : { body: JSON.parse(sent) as unknown };
  return language === 'json' ? { ...body, response: JSON.parse(text) as unknown } : { ...body, text };
}

/** Returns the examples in `docs/api-guide.md`: the last command of each block and its response. */
function guideExamples(operations: readonly Operation[]): Record<string, OperationExample> {
  const found: Record<string, OperationExample> = {};
  for (const { commands, response } of readExamples('api-guide.md')) {
    const call = commands.slice(commands.lastIndexOf('curl '));
    const [, method = call.includes(' -d ') ? 'POST' : 'GET'] = / -X ([A-Z]+) /.exec(call) ?? [];
    const [, path = ''] = /"\$HUB([^"?]*)/.exec(call) ?? [];
    const operation = operations.find((one) => one.method === method && matches(one, path));
    const example = toExample(call, response);
    if (operation && example) found[operation.operationId] ??= example;
  }
  return found;
}

/** Returns the examples of the contract: those of the API guide, and those of `contract-examples.yaml` for the rest. */
export function contractExamples(operations: readonly Operation[]): ContractExamples {
  const file = new URL('contract-examples.yaml', import.meta.url);
  const { parameters, operations: others } = parse(readFileSync(file, 'utf8')) as ContractExamples;
  const ofGuide = guideExamples(operations);
  const merged = { ...others };
  for (const [id, example] of Object.entries(ofGuide)) merged[id] = { ...others[id], ...example };
  return { parameters, operations: merged };
}
