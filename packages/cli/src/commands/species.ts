import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Options } from '@birdhub/launcher/options';
import { UsageError, withDatabase } from './command.js';

/** Loaded only when needed: loading the database client takes longer than the other commands. */
const loadDatabase = () => import('../hub-database.js');

/** `import-checklist FILE`: loads a checklist of species names. */
export async function importChecklist(options: Options, args: readonly string[]): Promise<number> {
  const [given, ...others] = args;
  if (!given || others.length > 0) throw new UsageError();
  const file = resolve(options.callerDir, given);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new LauncherError(`There is no file ${file}.`);
  const { checklistTitles, readChecklist } = await import('@birdhub/domain/species');
  const checklist = await readChecklist(createReadStream(file)).catch((error: unknown) => {
    throw error instanceof Error
      ? new LauncherError(`${given}: ${error.message}. Nothing was changed.`)
      : error;
  });
  const { loadChecklistIn } = await loadDatabase();
  const { isChanged, tidySteps } = await withDatabase(options, (url) => loadChecklistIn(url, checklist));
  const { title, licence } = checklistTitles[checklist.source];
  console.log(`${title}, ${licence}: ${checklist.rows.length} species${isChanged ? '' : ', as before'}.`);
  if (tidySteps > 0)
    console.log(
      `${tidySteps} species of this hub can be merged or completed: see npm run hub -- tidy-species`,
    );
  return 0;
}

/** `tidy-species [--apply | --undo]`: shows, applies or reverts the repair of species. */
export async function tidySpecies(options: Options, args: readonly string[]): Promise<number> {
  const [mode, ...others] = args;
  if (others.length > 0 || (mode !== undefined && mode !== '--apply' && mode !== '--undo'))
    throw new UsageError();
  const { applyTidyIn, planTidyIn, undoTidyIn } = await loadDatabase();
  if (mode === '--undo') {
    const { undone, kept } = await withDatabase(options, undoTidyIn);
    console.log(`Reverted: ${undone}. Kept because of later changes: ${kept}.`);
    return 0;
  }
  if (mode === '--apply') {
    await withDatabase(options, (url) =>
      applyTidyIn(url, ({ merged, completed, movedDetections, skipped, remaining }) =>
        console.log(
          `Merged: ${merged} (${movedDetections} detections), completed: ${completed}, skipped: ${skipped}, remaining: ${remaining}.`,
        ),
      ),
    );
    console.log('npm run hub -- tidy-species --undo reverts this.');
    return 0;
  }
  const steps = await withDatabase(options, planTidyIn);
  for (const step of steps) {
    if (step.kind === 'merge')
      console.log(`${step.name} (${step.speciesId}) is ${step.intoName} (${step.intoId})`);
    else
      console.log(
        `${step.name} (${step.speciesId}) gets ${step.scientificName}, ${step.familyName ?? step.family}`,
      );
  }
  console.log(
    steps.length ? 'Nothing was changed; --apply makes these changes.' : 'No species needs a change.',
  );
  return 0;
}
