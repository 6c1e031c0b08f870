export { createTestDatabase, type TestDatabase } from './database.js';
export { emptyTables, recordingTables } from './empty-tables.js';
export { findMetricMistakes } from './metric-mistakes.js';
export { startTestNats, type TestNats } from './nats-server.js';
export { insertManyVisits, type ManyVisits, writeUnchecked } from './rows.js';
export { countStatements } from './statements.js';
export { type FileCounts, readCountedFiles, readFiles } from './stored-files.js';
export { readExpectedState, readStoredState, type StoredState } from './stored-visits.js';
export { aDetection, aRecording, createTestWriter, type TestWriter, testAuthor } from './writer.js';
