export {
  type Change,
  type ChangeHandlers,
  ChangeListener,
  type ChangeNotice,
  ChangeNotifier,
} from './change-notices.js';
export { type CopyOut, copyIn, copyOut } from './copy.js';
export { addToCounters } from './counters.js';
export {
  type Connection,
  type Database,
  type DatabaseOptions,
  openConnection,
  openDatabase,
} from './database.js';
export { isTaken, isTransient, translateDatabaseError } from './db-errors.js';
export { Prisma } from './generated/client.js';
export {
  hashedKey,
  keyOf,
  type LockName,
  lockClasses,
  lockKeys,
  lockNames,
  lockPrefixes,
  withAdvisoryLock,
} from './locks.js';
export { listApplied, listMigrations, migrate, migrateWithin } from './migrate.js';
export type { PrismaClient, Row, Transaction } from './prisma.js';
export { queryRow } from './query-row.js';
export { inTransaction, type Send } from './transaction.js';
