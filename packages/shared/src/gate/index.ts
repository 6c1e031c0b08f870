export { createGate, type Gate } from './gate.js';
