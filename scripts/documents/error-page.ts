import { type ErrorKind, errorCatalogue } from '@birdhub/shared/errors';
import { markdownPage, markdownTable } from './markdown-table.js';

const intro = `# Errors

Every answer with a status of 400 or more has this body:

\`\`\`json
{ "error": "<for a person>", "code": "<for a program>", "request_id": "...", "details": [{ "path": "...", "message": "..." }] }
\`\`\`

\`code\` is one of the list below and stays what it is; the text may change. \`details\` is there when single fields are
wrong: \`path\` is a JSON Pointer into the body (\`/species/3/confidence\`) or the name of a query parameter. The
\`request_id\` is also in the header \`X-Request-Id\`, in the logs of all services, and in the events that the request
caused. Where waiting helps, \`Retry-After\` says how many seconds.

The list is the whole vocabulary of the hub. Some of its codes belong to routes that are not built yet.`;

/** The text of `docs/errors.md`. */
export function errorPage(): string {
  const rows = Object.entries<ErrorKind>(errorCatalogue).map(([name, { status, code = name, message }]) => [
    String(status),
    `\`${code}\``,
    message,
  ]);
  return markdownPage([intro, markdownTable(['Status', 'Code', 'Text'], rows)]);
}
