import type { EventDocument } from '@birdhub/shared/events';
import { markdownPage, markdownTable } from './markdown-table.js';

const intro = `# Events

What the hub tells on NATS. Events are in the JetStream stream \`HUB\`, which takes every subject below \`hub.v1.\`.
A payload is a JSON object of ids and facts; who wants more asks the HTTP contract. Keys may be added, so readers pass
over those they do not know; anything else is a new subject.

An event is published after the commit that it tells of, from the outbox, in the order of its recording: once or more,
never less. The header \`Nats-Msg-Id\` is the same each time, so a reader is idempotent by it. \`x-request-id\` names
the request that caused the event.

The list is the whole catalogue. Some events belong to parts of the hub that are not built yet.`;

const commandIntro = `# Commands

What the hub asks others to do. They are not in the stream: whoever is away hears of it another way, or not at all.`;

function section({ subject, description, fields }: EventDocument): string {
  const rows = fields.map(({ name, type, description: meaning }) => [`\`${name}\``, type, meaning]);
  return `## \`${subject}\`\n\n${description}\n\n${markdownTable(['Field', 'Type', 'Meaning'], rows)}`;
}

/** The text of `docs/events.md`. */
export function eventPage(events: readonly EventDocument[], commands: readonly EventDocument[]): string {
  return markdownPage([intro, ...events.map(section), commandIntro, ...commands.map(section)]);
}
