import { type ErrorKind, errorCatalogue } from '@birdhub/shared/errors';
import { markdownPage, markdownTable } from './markdown-table.js';

const intro = `# Errors

Every response with a status of 400 or more has this body:

\`\`\`json
{ "error": "<for a person>", "code": "<for a program>", "request_id": "...", "details": [{ "path": "...", "message": "..." }] }
\`\`\`

\`code\` is one of the list below and stable; the text may change. \`details\` is present when single fields are
invalid: \`path\` is a JSON Pointer into the body (\`/species/3/confidence\`) or the name of a query parameter. The
\`request_id\` is also in the header \`X-Request-Id\`, in the logs of all services, and in the events that the request
caused. Where a retry helps, \`Retry-After\` contains the number of seconds. A detail that a form can cause has a \`code\` and
the \`values\` in its message, for programs that translate it.`;

/** Returns the text of `docs/errors.md`. */
export function errorPage(): string {
  const rows = Object.entries<ErrorKind>(errorCatalogue).map(([name, { status, code = name, message }]) => [
    String(status),
    `\`${code}\``,
    message,
  ]);
  return markdownPage([intro, markdownTable(['Status', 'Code', 'Text'], rows)]);
}
