import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const runToolUrl = new URL('../../dist/media/run-tool.js', import.meta.url).href;

/** Waits until it runs at low priority, then prints its nice value. */
const waitForLowPriority = 'until [ "$(nice)" -ge 10 ]; do sleep 0.01; done; nice';

/** The nice value of a tool that runTool starts in an unprivileged process with at least this nice value. */
async function niceOfToolStartedAt(nice: number): Promise<number> {
  const program = `
    import { open } from 'node:fs/promises';
    import { getPriority, setPriority } from 'node:os';
    import { text } from 'node:stream/consumers';
    import { runTool } from ${JSON.stringify(runToolUrl)};
    const input = await open('/dev/null');
    if (getPriority() < ${nice}) setPriority(${nice});
    if (process.getuid() === 0) {
      process.setgroups([]);
      process.setgid(65534);
      process.setuid(65534);
    }
    const args = ['-c', ${JSON.stringify(waitForLowPriority)}];
    console.log(await runTool('sh', { args, input, limitMs: 60_000 }, text));
    await input.close();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number.parseInt(stdout, 10);
}

describe('runTool', () => {
  it('in a process of normal priority, runs the tool at nice 10', async () => {
    expect(await niceOfToolStartedAt(0)).toBe(Math.max(10, getPriority()));
  });

  it('in an unprivileged process at nice 15, runs the tool at nice 15', async () => {
    expect(await niceOfToolStartedAt(15)).toBe(Math.max(15, getPriority()));
  });
});
