export { assertCommand, assertEvent, assertReply, InvalidEventError, parseEvent } from './check-event.js';
export {
  type CommandMap,
  type CommandSubject,
  commands,
  type ReplyMap,
  type RequestSubject,
} from './command-catalogue.js';
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
