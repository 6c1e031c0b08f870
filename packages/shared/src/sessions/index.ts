export {
  endSessions,
  endSessionsOf,
  findSession,
  type NewSession,
  openSession,
  passwordKeys,
  removeExpiredSessions,
  type SessionRole,
  sessionCookie,
  sessionDays,
} from './sessions.store.js';
