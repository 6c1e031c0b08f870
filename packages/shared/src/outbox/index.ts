export { type CommitDeps, commit, type WriteTransaction } from './commit.js';
export { insertOutbox, type OutboxRow, outboxRow, writeOutbox } from './outbox.js';
export { recordDeadLetter } from './outbox.store.js';
export { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
