import { setPrivateUmask } from '@birdhub/launcher/data-folder';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { type Options, readOptions, repository } from '@birdhub/launcher/options';
import { backUp, restore } from './commands/backup.js';
import { UsageError } from './commands/command.js';
import { importBirdLense } from './commands/import-birdlense.js';
import {
  applySpeciesMapping,
  migrateNow,
  rebuildAllVisits,
  resetPasswords,
  rotateSecrets,
} from './commands/maintenance.js';
import { importChecklist, tidySpecies } from './commands/species.js';
import { showStatus } from './commands/status.js';
import { stopHub } from './commands/stop.js';

/** Runs a command and returns the exit code. */
type Command = (options: Options, args: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  status: withoutArguments(showStatus),
  stop: withoutArguments(stopHub),
  backup: backUp,
  restore,
  'import-birdlense': importBirdLense,
  'import-checklist': importChecklist,
  'tidy-species': tidySpecies,
  'reset-passwords': withoutArguments(resetPasswords),
  'rotate-secrets': withoutArguments(rotateSecrets),
  'apply-species-mapping': withoutArguments(applySpeciesMapping),
  'rebuild-visits': withoutArguments(rebuildAllVisits),
  migrate: withoutArguments(migrateNow),
};

const usage = `Usage: npm run hub -- COMMAND
  status           shows the running processes and whether they are ready (exit code 0 all ready, 1 not all,
                   3 not running)
  stop             stops the hub gracefully
  backup FILE      writes the database, the keys of the settings and the list of recordings to a file
                   (--force replaces the file; --passphrase-file FILE encrypts the keys)
  restore FILE     restores the database from a backup (--passphrase-file FILE)
  import-birdlense FILE.db RECORDINGS
                   imports the data and files of a hub of the BirdLense family
  import-checklist FILE
                   loads a checklist of the birds of the world: AviList, the eBird taxonomy or the IOC list
  tidy-species     shows which species exist under several labels (--apply merges them, --undo reverts the
                   last run)
  reset-passwords  clears both passwords and ends all sessions
  rotate-secrets   encrypts the secrets of the settings with a new key
  apply-species-mapping
                   assigns existing detections to species by the current names in the settings
  rebuild-visits   rebuilds all visits and their statistics from the detections
  migrate          migrates the database to this version`;

/** Runs `npm run hub -- COMMAND` and returns the exit code. */
export async function runCli([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  setPrivateUmask();
  try {
    if (command === undefined) throw new UsageError();
    return await command(readOptions(process.env, repository), args);
  } catch (error) {
    if (error instanceof UsageError) console.error(usage);
    else console.error(error instanceof LauncherError ? error.message : error);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** A command without arguments. */
function withoutArguments(command: (options: Options) => Promise<number>): Command {
  return (options, args) => {
    if (args.length > 0) throw new UsageError();
    return command(options);
  };
}
