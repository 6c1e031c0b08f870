import type { EventDocument } from '@birdhub/shared/events';
import { markdownPage, markdownTable } from './markdown-table.js';

const intro = `# Events

What the hub publishes on NATS. Events are in the JetStream stream \`HUB\`, which takes every subject below \`hub.v1.\`.
A payload is a JSON object of ids and facts; the HTTP API has the rest. Keys may be added, so consumers must ignore
those they do not know; any other change is a new subject.

An event is published after the commit of its change, from the outbox, in order per recording, at least once. The
header \`Nats-Msg-Id\` is the same at each attempt, so that consumers can deduplicate. \`x-request-id\` names
the request that caused the event.

The list is complete.`;

const commandIntro = `# Commands

Requests to other processes. They are not in the stream: a process that is not connected does not receive them.`;

function section({ subject, description, fields }: EventDocument): string {
  const rows = fields.map(({ name, type, description: meaning }) => [`\`${name}\``, type, meaning]);
  return `## \`${subject}\`\n\n${description}\n\n${markdownTable(['Field', 'Type', 'Meaning'], rows)}`;
}

/** The text of `docs/events.md`. */
export function eventPage(events: readonly EventDocument[], commands: readonly EventDocument[]): string {
  return markdownPage([intro, ...events.map(section), commandIntro, ...commands.map(section)]);
}
