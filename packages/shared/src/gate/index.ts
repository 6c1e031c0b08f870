export { createGate, type Gate } from './gate.js';
export { type AskMany, gather } from './gather.js';
