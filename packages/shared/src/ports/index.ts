export { drawPort, listenOnAny } from './any-port.js';
