export { type CommitDeps, commit, type WriteTransaction } from './commit.js';
export { recordDeadLetter } from './dead-letter.store.js';
export { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
export { type OutboxRow, outboxRow } from './outbox-row.js';
export { insertOutbox, writeOutbox } from './write-outbox.js';
