export { type Bell, type Change, compactChanges, createBell, type Ring } from './bell.js';
export { type BellHandlers, type BellListener, listenToBell } from './bell-listener.js';
export { addToCounters } from './counters.js';
export { type Database, type DatabaseOptions, openDatabase } from './database.js';
export { isTransient, translateDatabaseError } from './db-errors.js';
export { createIdBlock, type IdBlock } from './id-block.js';
export { migrate } from './migrate.js';
export { inTransaction, type Send } from './transaction.js';
