import { listProcesses, readPss } from './proc.js';
import { groupProcesses, type Roots } from './process-groups.js';

/** Looking at a process takes longer than a piece of an answer. */
const everyMs = 250;

/** Watches what a process of the hub has more than at rest; `stop` returns the maximum, in MB. */
export function watchMemory(roots: Roots, name: string): { stop(): number } {
  const look = () => {
    const members = groupProcesses(listProcesses(), roots).get(name) ?? [];
    return members.reduce((sum, { pid }) => sum + readPss(pid), 0) / 1e6;
  };
  const atRest = look();
  let most = atRest;
  const note = () => {
    most = Math.max(most, look());
  };
  const timer = setInterval(note, everyMs);
  return {
    stop() {
      clearInterval(timer);
      note();
      return most - atRest;
    },
  };
}
