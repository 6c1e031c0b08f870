import { listProcesses, readPss } from './proc.js';
import { groupProcesses, type Roots } from './process-groups.js';

/** Not shorter, as reading the memory of a process takes longer than a chunk of a response. */
const everyMs = 250;

/** Watches the memory of a process of the hub; `stop` returns the maximum above that at rest, in MB. */
export function watchMemory(roots: Roots, name: string): { stop(): number } {
  const read = () => {
    const members = groupProcesses(listProcesses(), roots).get(name) ?? [];
    return members.reduce((sum, { pid }) => sum + readPss(pid), 0) / 1e6;
  };
  const atRest = read();
  let max = atRest;
  const note = () => {
    max = Math.max(max, read());
  };
  const timer = setInterval(note, everyMs);
  return {
    stop() {
      clearInterval(timer);
      note();
      return max - atRest;
    },
  };
}
