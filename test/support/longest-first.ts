import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than ten seconds, the longest first. */
const longest = [
  'every-operation.e2e',
  'launcher-ports.e2e',
  'slow-exports.e2e',
  'writer.int',
  'nats-bus.int',
  'monthly-report.int',
  'purge-kill.int',
  'notify-people.int',
  'backup.int',
  'species-editor.int',
  'learn-species.int',
  'region-comparison.int',
  'feeder-esphome.int',
  'species-sounds.int',
  'days-and-months.int',
  'killed-processes.fault',
  'network.fault',
  'standing-still.fault',
  'truthful-pages.e2e',
  'layout.e2e',
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
