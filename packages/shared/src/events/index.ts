export {
  type CommandMap,
  type CommandSubject,
  commands,
  type EventMap,
  events,
  isSubject,
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
export { assertCommand, assertEvent, assertReply, InvalidEventError, parseEvent } from './payloads.js';
