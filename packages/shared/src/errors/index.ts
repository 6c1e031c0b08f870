export { errorCode, errorMessage, isDiskFull, isMissingFile, undefinedIfMissing } from './caught-error.js';
export { type ErrorCode, type ErrorKind, errorCatalogue } from './error-catalogue.js';
export {
  type ErrorBody,
  ErrorBodySchema,
  type ErrorDetail,
  ErrorDetailSchema,
  HubError,
  invalidField,
  shownDetail,
  toErrorBody,
  translation,
} from './hub-error.js';
export {
  errorOf,
  type RefusalArguments,
  type RefusalCode,
  refusals,
  refuse,
  refused,
  schemaRefusals,
} from './refusals.js';
export {
  createSentences,
  type Sentence,
  sentencesSchema,
  shownSentences,
  type TextArguments,
  type TextValues,
} from './sentences.js';
