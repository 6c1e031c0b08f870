import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than ten seconds, the longest first. */
const longest = [
  // What waits and what works in turns.
  'hub-sources.e2e',
  'every-operation.e2e',
  'welcome.e2e',
  'web/sources.e2e',
  'standing-still.fault',
  'slow-exports.e2e',
  'network.fault',
  'killed-processes.fault',
  'launcher-ports.e2e',
  'image.e2e',
  'hub-restart.e2e',
  'hostile-clients.e2e',
  'hub-derived-media.e2e',
  'hub-uploads.e2e',
  'hub-edges.e2e',
  'access-tokens.e2e',
  'sources-model.int',
  'sources.int',
  'demo.int',
  'writer.int',
  'monthly-report.int',
  'export-slots.int',
  'purge-kill.int',
  'species-editor.int',
  'dataset-export.int',
  'backup.int',
  'refused-restores.int',
  'detection-crop.int',
  'nats-bus.int',
  'learn-species.int',
  'rotate-secrets.int',
  'derived-media.int',
  'region-comparison.int',
  'notification-policy.int',
  'feeder-esphome.int',
  'species-sounds.int',
  'pages.e2e',
  'truthful-pages.e2e',
  'journeys.e2e',
  'first-load.e2e',
  'layout.e2e',
  'sightings.e2e',
];

/** Begins with the files that take longest: begun last, one of them would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
