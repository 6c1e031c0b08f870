export { assertCommand, assertEvent, InvalidEventError, parseEvent } from './check-event.js';
export { type CommandMap, type CommandSubject, commands } from './command-catalogue.js';
export {
  type EventMap,
  events,
  isSubject,
  type Subject,
  type SubjectPattern,
  type SubjectsOf,
} from './event-catalogue.js';
export {
  commandDocuments,
  type EventDocument,
  eventDocuments,
  type FieldDocument,
} from './event-documents.js';
