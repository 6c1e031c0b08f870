export { sessionCookie } from './session-token.js';
export {
  endSessions,
  endSessionsOf,
  findSession,
  type NewSession,
  openSession,
  passwordKeys,
  removeExpiredSessions,
  type SessionRole,
  sessionDays,
} from './sessions.store.js';
