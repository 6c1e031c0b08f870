export {
  type CommitDeps,
  commit,
  commitWithPrisma,
  type OutboxRow,
  outboxRow,
  type PrismaCommitDeps,
  type PrismaWriteTransaction,
  type WriteTransaction,
} from './commit.js';
export { nameDatabase, recordDeadLetter } from './outbox.store.js';
export { createOutboxRelay, type OutboxRelay, type OutboxRelayDeps } from './outbox-relay.js';
