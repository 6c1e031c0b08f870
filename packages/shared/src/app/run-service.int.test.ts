import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const runService = new URL('./run-service.ts', import.meta.url);

/** What a service process whose start throws this writes, and what it ends with. */
function failWith(error: string) {
  const program = `
    import { runService } from '${runService}';
    await runService(() => { throw ${error}; }, {});`;
  const args = ['--conditions=hub:source', '--import', 'tsx', '--input-type=module', '--eval', program];
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, stderr };
}

test('runService whose port is taken, ends with one sentence that names the port', () => {
  const refusal = { syscall: 'listen', code: 'EADDRINUSE', address: '0.0.0.0', port: 8080 };
  const { status, stderr } = failWith(`Object.assign(new Error('no'), ${JSON.stringify(refusal)})`);
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Port 8080 of 0.0.0.0 cannot be listened on (EADDRINUSE), most likely another program has it: set PORT or OPS_PORT to another one.\n',
  );
});

test('runService whose start fails otherwise, ends with the stack', () => {
  const { status, stderr } = failWith(`new Error('something else')`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: something else\n +at /);
});
