export { drawPort, isPortRefused, listenOnAny } from './any-port.js';
