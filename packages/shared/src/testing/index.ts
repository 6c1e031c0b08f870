export { createTestDatabase, type TestDatabase } from './database.js';
export { countStatements } from './statements.js';
