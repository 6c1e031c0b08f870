import type { EventDocument } from '@birdhub/shared/events';
import { markdownPage, markdownTable } from './markdown-table.js';

const intro = `# Events

The hub publishes these events on NATS, in the JetStream stream \`HUB\`, which contains all subjects below \`hub.v1.\`.
A payload is a JSON object with ids and facts; the HTTP API has the rest. Keys may be added, so consumers must ignore
unknown ones; any other change is a new subject.

An event is published from the outbox after the commit of its change, at least once, and in order for each recording. The
header \`Nats-Msg-Id\` is the same for each attempt, so that consumers can deduplicate. \`x-request-id\` is the id of
the request that caused the event.

The list is complete.`;

const commandIntro = `# Commands

Requests to other processes. They are not in the stream: a process that is not connected does not receive them.`;

function section({ subject, description, fields }: EventDocument): string {
  const rows = fields.map(({ name, type, description: meaning }) => [`\`${name}\``, type, meaning]);
  return `## \`${subject}\`\n\n${description}\n\n${markdownTable(['Field', 'Type', 'Meaning'], rows)}`;
}

/** Returns the text of `docs/events.md`. */
export function eventPage(events: readonly EventDocument[], commands: readonly EventDocument[]): string {
  return markdownPage([intro, ...events.map(section), commandIntro, ...commands.map(section)]);
}
