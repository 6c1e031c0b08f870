export { sessionCookie } from './session-token.js';
export {
  endSessions,
  endSessionsOf,
  findSession,
  type NewSession,
  openSession,
  removeExpiredSessions,
  type SessionRole,
  sessionDays,
} from './sessions.store.js';
