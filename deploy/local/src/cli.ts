import { migrateNow } from './cli/migrate.js';
import { resetPasswords } from './cli/reset-passwords.js';
import { rotateSecrets } from './cli/rotate-secrets.js';
import { showStatus } from './cli/status.js';
import { stopHub } from './cli/stop.js';
import { LauncherError } from './launcher-error.js';
import { type Options, readOptions } from './options.js';
import { repository } from './repository.js';

/** Does one thing and answers the exit code. */
type Command = (options: Options) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  status: showStatus,
  stop: stopHub,
  'reset-passwords': resetPasswords,
  'rotate-secrets': rotateSecrets,
  migrate: migrateNow,
};

const usage = `Usage: npm run hub -- COMMAND
  status           what runs, where, and whether it is ready (exit code 0 ready, 1 not all, 3 not running)
  stop             stops the hub in order
  reset-passwords  clears both passwords and ends all sessions
  rotate-secrets   seals the secrets of the settings with a new key
  migrate          brings the database up to date`;

/** `npm run hub -- COMMAND`: answers the exit code. */
export async function runCli([name, ...rest]: readonly string[]): Promise<number> {
  const command =
    name !== undefined && rest.length === 0 && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(usage);
    return 2;
  }
  try {
    return await command(readOptions(process.env, repository));
  } catch (error) {
    console.error(error instanceof LauncherError ? error.message : error);
    return 1;
  }
}
