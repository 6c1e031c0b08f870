import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** A secret that is made once and then kept in a file that only its owner reads. */
export async function keepSecret(file: string): Promise<{ value: string; isNew: boolean }> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim() !== '') return { value: kept.trim(), isNew: false };
  const value = randomBytes(32).toString('hex');
  await writeFile(file, `${value}\n`, { mode: 0o600 });
  return { value, isNew: true };
}
