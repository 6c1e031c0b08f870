import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than ten seconds, longest first. */
const longest = [
  // Tests with complete hubs, and fault tests: those that use the CPU alternate with those that wait.
  'hub-sources.e2e',
  'frozen-processes.fault',
  'every-operation.e2e',
  'network.fault',
  'web/sources.e2e',
  'killed-processes.fault',
  'load.fault',
  'slow-exports.e2e',
  'clock.fault',
  'hub-derived-media.e2e',
  'launcher-ports.e2e',
  'namespace.fault',
  'hostile-clients.e2e',
  'uploads.fault',
  'image.e2e',
  'purge.fault',
  'hub-restart.e2e',
  'hub-base-path.e2e',
  'launcher-cli.e2e',
  'hub-sound.e2e',
  'launcher-postgres.e2e',
  'hub-uploads.e2e',
  'notifications.fault',
  'disk-full.fault',
  'slow-disk.fault',
  'hub-edges.e2e',
  'access-tokens.e2e',
  // Integration.
  'sources-model.int',
  'derived-media.int',
  'writer.int',
  'sources.int',
  'demo.int',
  'detection-crop.int',
  'migration-calendar.int',
  'species-editor.int',
  'hostile-upstreams.int',
  'notification-policy.int',
  'http-channels.int',
  'backup.int',
  'seed.int',
  'nats-bus.int',
  'purge-kill.int',
  'recordings-scan.int',
  'refused-files.int',
  'monthly-report.int',
  'science-export.int',
  'mqtt-intake.int',
  'export-slots.int',
  'dataset-export.int',
  'refused-restores.int',
  'sound-picture.int',
  'learn-species.int',
  'rotate-secrets.int',
  'region-comparison.int',
  'feeder-esphome.int',
  'species-sounds.int',
  // Pages.
  'welcome.e2e',
  'pages.e2e',
  'truthful-pages.e2e',
  'journeys.e2e',
  'first-load.e2e',
  'layout.e2e',
  'sightings.e2e',
];

/** Runs the longest files first; otherwise the last one would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
