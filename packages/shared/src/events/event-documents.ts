import type { TSchema } from 'typebox';
import { commands, events } from './event-catalogue.js';

/** One row of the field table of an event. */
export interface FieldDocument {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** The documentation of one event or command. */
export interface EventDocument {
  readonly subject: string;
  readonly description: string;
  readonly fields: readonly FieldDocument[];
}

interface Described {
  readonly type?: string;
  readonly format?: string;
  readonly const?: string;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly description?: string;
}

function typeName(schema: Described): string {
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ');
  if (schema.items) return `${typeName(schema.items)}[]`;
  if (schema.format === 'date-time') return 'RFC 3339, UTC';
  return schema.const ?? schema.type ?? 'unknown';
}

function documentsOf(
  catalogue: Record<
    string,
    { description: string; schema: TSchema & { properties: Record<string, TSchema> } }
  >,
): EventDocument[] {
  return Object.entries(catalogue).map(([subject, { description, schema }]) => ({
    subject,
    description,
    fields: Object.entries<Described>(schema.properties).map(([name, field]) => ({
      name,
      type: typeName(field),
      description: field.description ?? '',
    })),
  }));
}

/** Returns the documentation of the events of the stream. */
export function eventDocuments(): EventDocument[] {
  return documentsOf(events);
}

/** Returns the documentation of the commands. */
export function commandDocuments(): EventDocument[] {
  return documentsOf(commands);
}
