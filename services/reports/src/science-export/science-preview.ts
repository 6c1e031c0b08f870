import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';
import { type Static, Type } from 'typebox';
import { readSnapshot } from '../read-snapshot.js';
import { readDeployments } from './deployments.store.js';
import { countForPortals } from './portal.store.js';
import { countEvents, countRecordings, type ScienceSearch } from './science.store.js';

const count = (description: string) => Type.Integer({ description });

/** Reasons why content is excluded or incomplete. */
const reasons = ['doubtful', 'unnamed', 'not_animal', 'no_medium', 'file_gone'] as const;

/** Settings that are required for or improve a data set. */
const facts = ['location', 'contact_name', 'contact_email', 'description', 'camera_names'] as const;

/** The content of an export for science. */
export const SciencePreviewSchema = Type.Object(
  {
    deployments: count('Number of deployments, each a camera with a period of activity'),
    recordings: count('Number of recordings with media'),
    events: count('Number of visits per deployment: rows of event-level observations'),
    occurrences: count('Number of events that identify an animal: rows of occurrences'),
    species: count('Number of taxa of the occurrences'),
    reviewed: count('Number of occurrences that a user has confirmed or identified'),
    files: count('Number of recordings whose file exists'),
    bytes: count('Total size of these files in bytes, as far as known'),
    observations: count('Number of species per day with a certain visit: rows for observation.org'),
    pictures: count('Number of `observations` with a picture: rows for iNaturalist'),
    left_out: Type.Array(
      Type.Object({
        reason: Type.Unsafe<(typeof reasons)[number]>({
          type: 'string',
          enum: reasons,
          description:
            '`doubtful`: events below the doubt threshold, which are exported as unclassified and not as ' +
            'occurrences; `unnamed`: events without a scientific name, exported with their class only; ' +
            '`not_animal`: people and unknown objects, not exported as occurrences; `no_medium`: ' +
            'recordings that never had a file; `file_gone`: recordings whose file no longer exists',
        }),
        count: count('Number of events or recordings'),
      }),
      { description: 'What is left out or incomplete, by reason; reasons with a count of 0 are omitted' },
    ),
    missing: Type.Array(Type.Unsafe<(typeof facts)[number]>({ type: 'string', enum: facts }), {
      description: 'Settings that are not set; an export is not possible without `location`',
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
  const counted = readSnapshot(pool, async function* (client) {
    const deployments = await readDeployments(client, search);
    signal.throwIfAborted();
    const events = await countEvents(client, search, deployments);
    signal.throwIfAborted();
    const recordings = await countRecordings(client, search, deployments);
    signal.throwIfAborted();
    yield { deployments, events, recordings, portals: await countForPortals(client, search) };
  });
  for await (const { deployments, events, recordings, portals } of counted) {
    const leftOut = {
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
      left_out: reasons.map((reason) => ({ reason, count: leftOut[reason] })).filter((one) => one.count > 0),
      missing: missingFacts(
        settings,
        deployments.map(({ cameraId }) => cameraId),
      ),
    };
  }
  throw new Error('the snapshot of a preview returned nothing');
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
