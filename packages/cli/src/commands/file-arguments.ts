import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Options } from '@birdhub/launcher/options';
import { UsageError } from './usage-error.js';

/** What `backup` and `restore` are told. */
export type FileArguments = {
  readonly file: string;
  readonly isForced: boolean;
  readonly passphrase: string | undefined;
};

/** @throws UsageError unless there is one file and nothing that is not known */
export async function readFileArguments(
  args: readonly string[],
  { callerDir, backupPassphraseFile }: Options,
): Promise<FileArguments> {
  const { values, positionals } = parse(args);
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UsageError();
  const passphraseFile = values['passphrase-file'] ?? backupPassphraseFile;
  return {
    file: resolve(callerDir, file),
    isForced: values.force,
    passphrase: passphraseFile && (await readPassphrase(resolve(callerDir, passphraseFile))),
  };
}

function parse(args: readonly string[]) {
  const options = {
    force: { type: 'boolean', default: false },
    'passphrase-file': { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError('the arguments are not known', { cause });
  }
}

async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new LauncherError(`The passphrase cannot be read from ${file}.`, { cause });
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase === '') throw new LauncherError(`There is no passphrase in ${file}.`);
  return passphrase;
}
