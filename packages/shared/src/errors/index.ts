export { type ErrorCode, type ErrorKind, errorCatalogue } from './error-catalogue.js';
export {
  type ErrorBody,
  ErrorBodySchema,
  type ErrorDetail,
  HubError,
  invalidField,
  toErrorBody,
} from './hub-error.js';
export { errorOf, type RefusalCode, refusals, refuse, refused, schemaRefusals } from './refusals.js';
export {
  createSentences,
  type Sentence,
  sentencesSchema,
  shownSentences,
  type TextArguments,
  type TextValues,
} from './sentences.js';
