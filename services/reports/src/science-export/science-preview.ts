import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';
import { type Static, Type } from 'typebox';
import { readSnapshot } from '../read-snapshot.js';
import { countForPortals } from './portal.store.js';
import { countEvents, countRecordings, readDeployments, type ScienceSearch } from './science.store.js';

const count = (description: string) => Type.Integer({ description });

/** Reasons why content is excluded or incomplete. */
const reasons = ['doubtful', 'unnamed', 'not_animal', 'no_medium', 'file_gone'] as const;

/** Settings that are required for or improve a data set. */
const facts = ['location', 'contact_name', 'contact_email', 'description', 'camera_names'] as const;

/** The content of an export for science. */
export const SciencePreviewSchema = Type.Object(
  {
    deployments: count('Cameras, each with a stretch of activity'),
    recordings: count('Recordings with a medium'),
    events: count('Visits, each with a deployment: rows of observations at the level of events'),
    occurrences: count('Those that say which animal it was: rows of occurrences'),
    species: count('Taxa of the occurrences'),
    reviewed: count('Occurrences that a person has confirmed or named'),
    files: count('Recordings whose file is there'),
    bytes: count('Their size together, as far as it is known'),
    observations: count('Certain species of days, each of which is a row for observation.org'),
    pictures: count('Those with a picture, each of which is a row for iNaturalist'),
    left_out: Type.Array(
      Type.Object({
        reason: Type.Unsafe<(typeof reasons)[number]>({
          type: 'string',
          enum: reasons,
          description:
            '`doubtful`: events below the confidence of doubt, which stay unclassified and are no occurrences; `unnamed`: ' +
            'events without a scientific name, given as their class; `not_animal`: people and unknown things, no ' +
            'occurrences; `no_medium`: recordings that never had a file; `file_gone`: recordings whose file is gone',
        }),
        count: count('How many'),
      }),
      { description: 'What is left out or less than it could be, and why; nothing with a count of 0' },
    ),
    missing: Type.Array(Type.Unsafe<(typeof facts)[number]>({ type: 'string', enum: facts }), {
      description: 'What the settings do not say; without `location` there is no export',
    }),
  },
  { $id: 'SciencePreview' },
);

/** See {@link SciencePreviewSchema}. */
export type SciencePreview = Static<typeof SciencePreviewSchema>;

/** Counts the content of an export for science. */
export async function previewScience(
  pool: pg.Pool,
  search: ScienceSearch,
  settings: Settings,
  signal: AbortSignal,
): Promise<SciencePreview> {
  const { timezone } = settings.general;
  const counted = readSnapshot(pool, async function* (client) {
    const deployments = await readDeployments(client, search);
    signal.throwIfAborted();
    const events = await countEvents(client, search, deployments);
    signal.throwIfAborted();
    const recordings = await countRecordings(client, search, deployments);
    signal.throwIfAborted();
    yield { deployments, events, recordings, portals: await countForPortals(client, search, timezone) };
  });
  for await (const { deployments, events, recordings, portals } of counted) {
    const left = {
      doubtful: events.doubtful,
      unnamed: events.unnamed,
      not_animal: events.notAnimal,
      no_medium: recordings.withoutMedium,
      file_gone: recordings.recordings - recordings.files,
    };
    return {
      deployments: deployments.length,
      recordings: recordings.recordings,
      events: events.events,
      occurrences: events.occurrences,
      species: events.species,
      reviewed: events.reviewed,
      files: recordings.files,
      bytes: recordings.bytes,
      observations: portals.observations,
      pictures: portals.withPicture,
      left_out: reasons.map((reason) => ({ reason, count: left[reason] })).filter((one) => one.count > 0),
      missing: missingFacts(
        settings,
        deployments.map(({ cameraId }) => cameraId),
      ),
    };
  }
  throw new Error('a preview was not read');
}

function missingFacts({ science, secrets, video }: Settings, cameraIds: readonly string[]) {
  const named = new Set(video.cameras.filter(({ name }) => name).map(({ id }) => id));
  const isMissing: Record<(typeof facts)[number], boolean> = {
    location: !secrets.latitude.trim() || !secrets.longitude.trim(),
    contact_name: !science.contact_name,
    contact_email: !science.contact_email,
    description: !science.description,
    camera_names: cameraIds.some((id) => !named.has(id)),
  };
  return facts.filter((fact) => isMissing[fact]);
}
