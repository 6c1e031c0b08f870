export {
  assertCommand,
  assertEvent,
  assertReply,
  type CommandMap,
  type CommandSubject,
  commands,
  type EventMap,
  events,
  InvalidEventError,
  isSubject,
  parseEvent,
  type ReplyMap,
  type RequestSubject,
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
