export { type ErrorBody, ErrorBodySchema, toErrorBody } from './error-body.js';
export { type ErrorCode, type ErrorKind, errorCatalogue } from './error-catalogue.js';
export { type ErrorDetail, HubError, invalidField } from './hub-error.js';
