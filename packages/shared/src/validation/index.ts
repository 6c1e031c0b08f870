export { compileSchema, escapePointer, invalidRequest, toDetails } from './validators.js';
