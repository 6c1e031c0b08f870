export { endSessionsOf, type SessionRole } from './sessions.store.js';
