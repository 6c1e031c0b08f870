import { createPendingDeletions } from './pending-deletions';

/** The recordings that people deleted a moment ago; leaving the page sends what waits. */
export const recordingDeletions = createPendingDeletions();

window.addEventListener('pagehide', () => recordingDeletions.flush());
