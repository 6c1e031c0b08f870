export { toFileName } from './file-name.js';
