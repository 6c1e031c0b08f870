import {
  createTestDatabase,
  emptyTables,
  readExpectedState,
  readStoredState,
  type TestDatabase,
} from '@birdhub/testing';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { type BirdNetGo, type BirdNetGoBird, startBirdNetGo } from '@birdhub/testing/upstreams/birdnet-go';
import { type Frigate, startFrigate } from '@birdhub/testing/upstreams/frigate';
import type { FrigateBirdInView } from '@birdhub/testing/upstreams/frigate-cameras';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelHub, type StoredDetection } from '../testing/model-hub.js';
import { sourceKinds } from './source-kinds.js';

/** The reference: a bird upstream, and what people changed here. Instants in ms. */
interface Bird {
  /** The recording that contains it. */
  readonly key: string;
  readonly camera: string;
  readonly start: number;
  end: number | undefined;
  /** As stored upstream. */
  species: string;
  /** As changed by a person here. */
  corrected: string | undefined;
  /** A person here deleted its recording. */
  isDeleted: boolean;
}

/** The upstream program to which the steps are applied. */
interface World {
  readonly birds: readonly Bird[];
  come(given: {
    readonly camera: string;
    readonly species: string | null;
    readonly seconds: number;
    readonly isStaying: boolean;
  }): void;
  leave(bird: Bird): void;
  rename(bird: Bird, species: string): void;
  /** Deletes a bird upstream, as retention does. The hub must keep it. */
  expire(bird: Bird): void;
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const base = Date.UTC(2026, 4, 1, 8);
const species = ['Great Tit', 'Eurasian Blue Tit', 'European Robin'] as const;
const cameras = ['north', 'south'] as const;
const programs = findMosquitto();
const numRuns = 8;

class FrigateWorld implements World {
  readonly birds: Bird[] = [];
  readonly #inView = new Map<Bird, FrigateBirdInView>();
  readonly #frigate: Frigate;
  readonly #now: () => number;

  constructor(frigate: Frigate, now: () => number) {
    this.#frigate = frigate;
    this.#now = now;
  }

  come({ camera, species: name, seconds, isStaying }: Parameters<World['come']>[0]): void {
    const start = this.#now();
    const end = isStaying ? null : start + seconds * 1000;
    const seen = this.#frigate.bird({ camera, start, end, name });
    const bird: Bird = {
      key: seen.review ?? seen.id,
      camera,
      start,
      end: end ?? undefined,
      species: name ?? 'Bird',
      corrected: undefined,
      isDeleted: this.birds.some((other) => other.key === seen.review && other.isDeleted),
    };
    this.birds.push(bird);
    this.#inView.set(bird, seen);
  }

  leave(bird: Bird): void {
    if (bird.end !== undefined) return;
    bird.end = Math.max(this.#now(), bird.start + 1_000);
    this.#inView.get(bird)?.end(bird.end);
  }

  rename(bird: Bird, name: string): void {
    bird.species = name;
    this.#inView.get(bird)?.nameIt(name);
  }

  expire(bird: Bird): void {
    if (bird.end !== undefined) this.#inView.get(bird)?.expire();
  }

  goDown = () => this.#frigate.goDown();
  comeBack = () => this.#frigate.comeBack();
  stop = () => this.#frigate.stop();

  async restart(): Promise<void> {
    for (const bird of this.birds) bird.end ??= bird.start + 30_000;
    await this.#frigate.restart();
  }
}

class BirdNetGoWorld implements World {
  readonly birds: Bird[] = [];
  readonly #heard = new Map<Bird, BirdNetGoBird>();
  readonly #station: BirdNetGo;
  readonly #now: () => number;

  constructor(station: BirdNetGo, now: () => number) {
    this.#station = station;
    this.#now = now;
  }

  come({ camera, species: name, seconds }: Parameters<World['come']>[0]): void {
    // Times are whole seconds, and stored birds have ended.
    const start = Math.floor(this.#now() / 1000) * 1000 - seconds * 1000;
    const commonName = (name ?? 'Great Tit') as keyof typeof scientificNames;
    const source = { id: `rtsp_${camera}`, type: 'rtsp', displayName: camera };
    const heard = this.#station.hear({
      begin: start,
      seconds,
      commonName,
      scientificName: scientificNames[commonName],
      source,
    });
    const key = String(heard.id);
    const bird = {
      key,
      camera,
      start,
      end: start + seconds * 1000,
      species: commonName,
      corrected: undefined,
      isDeleted: false,
    };
    this.birds.push(bird);
    this.#heard.set(bird, heard);
  }

  leave(): void {}

  /** People cannot rename birds there, only reject them. */
  rename(bird: Bird): void {
    if (bird.species === 'Unknown') return;
    bird.species = 'Unknown';
    this.#heard.get(bird)?.verify('false_positive');
  }

  expire(bird: Bird): void {
    this.#heard.get(bird)?.expire();
  }

  goDown = () => this.#station.goDown();
  comeBack = () => this.#station.comeBack();
  restart = () => this.#station.restart();
  stop = () => this.#station.stop();
}

const scientificNames = {
  'Great Tit': 'Parus major',
  'Eurasian Blue Tit': 'Cyanistes caeruleus',
  'European Robin': 'Erithacus rubecula',
};

const anyChoice = fc.nat({ max: 30 });
const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('come' as const),
      camera: fc.constantFrom(...cameras),
      species: fc.constantFrom(...species, null),
      seconds: fc.integer({ min: 2, max: 90 }),
      isStaying: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('leave' as const), choice: anyChoice }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename' as const, 'correct' as const),
      choice: anyChoice,
      species: fc.constantFrom(...species),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'expire' as const), choice: anyChoice }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 150 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'hub stops' as const,
        'hub crashes' as const,
        'hub starts' as const,
        'upstream goes down' as const,
        'upstream comes back' as const,
        'upstream restarts' as const,
        'broker is killed' as const,
        'broker starts' as const,
        'all is read' as const,
      ),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const programsOfKinds = [
  {
    kind: 'frigate' as const,
    async start(now: () => number, mqttUrl: string | undefined) {
      const frigate = await startFrigate({ cameras, now, ...(mqttUrl && { mqtt: { url: mqttUrl } }) });
      return { world: new FrigateWorld(frigate, now), url: frigate.url };
    },
  },
  {
    kind: 'birdnet-go' as const,
    async start(now: () => number, mqttUrl: string | undefined) {
      const station = await startBirdNetGo({ now, ...(mqttUrl && { mqtt: { url: mqttUrl } }) });
      return { world: new BirdNetGoWorld(station, now), url: station.url };
    },
  },
];

describe.each(programsOfKinds.filter(({ kind }) => sourceKinds[kind]))(
  'a hub with a $kind and outages on both sides',
  ({ kind, start }) => {
    let database: TestDatabase;
    let broker: Mosquitto | undefined;
    beforeAll(async () => {
      [database, broker] = await Promise.all([createTestDatabase(), programs && startMosquitto(programs)]);
      // Without species, as each start of the hub reads all of them.
      await emptyTables(database.pool, ['species']);
    });
    afterAll(async () => {
      await broker?.stop();
      await database.drop();
    });

    async function play(steps: readonly Step[]): Promise<void> {
      let at = base;
      const now = () => at;
      const mqttUrl = broker && `mqtt://127.0.0.1:${broker.port}`;
      let isBrokerUp = true;
      let isUpstreamUp = true;
      const { world, url } = await start(now, mqttUrl);
      const hub = new ModelHub(database, { kind, url, mqttUrl, since: base - 3_600_000 }, { now });
      const pick = (choice: number) => world.birds[choice % Math.max(1, world.birds.length)];
      const setBroker = async (isUp: boolean) => {
        if (isUp === isBrokerUp) return;
        isBrokerUp = isUp;
        await (isUp ? broker?.start() : broker?.kill());
      };
      const setUpstream = async (isUp: boolean) => {
        if (isUp === isUpstreamUp) return;
        isUpstreamUp = isUp;
        await (isUp ? world.comeBack() : world.goDown());
      };
      /** Starts everything, advances the clock, and waits until all due work is done. */
      const readAll = async () => {
        await setBroker(true);
        await setUpstream(true);
        // A new process does not wait for a retry of its predecessor.
        await hub.stop();
        hub.start();
        for (const seconds of [20, 120, 700]) {
          at += seconds * 1000;
          await hub.settle();
        }
      };

      async function take(step: Step): Promise<void> {
        switch (step.kind) {
          case 'come':
            at += 1_000;
            world.come(step);
            break;
          case 'wait':
            at += step.seconds * 1000;
            break;
          case 'hub starts':
            hub.start();
            break;
          case 'hub stops':
            await hub.stop();
            break;
          case 'hub crashes':
            await hub.crash();
            break;
          case 'upstream goes down':
            await setUpstream(false);
            break;
          case 'upstream comes back':
            await setUpstream(true);
            break;
          case 'upstream restarts':
            at += 40_000;
            await setUpstream(true);
            await setBroker(true);
            await world.restart();
            break;
          case 'broker is killed':
            await setBroker(false);
            break;
          case 'broker starts':
            await setBroker(true);
            break;
          case 'all is read':
            await readAll();
            break;
          default:
            await change(step);
        }
      }

      async function change(step: Extract<Step, { choice: number }>): Promise<void> {
        const bird = pick(step.choice);
        if (!bird) return;
        if (step.kind === 'leave') world.leave(bird);
        else if (step.kind === 'rename') {
          // A bird rejected before it was read is never stored.
          if (kind === 'birdnet-go') await readAll();
          world.rename(bird, step.species);
        } else if (step.kind === 'correct') {
          if (await hub.correct(bird.key, bird.start, step.species)) bird.corrected = step.species;
        } else if (step.kind === 'remove') {
          if (!(await hub.remove(bird.key))) return;
          for (const other of world.birds) if (other.key === bird.key) other.isDeleted = true;
        } else {
          // A bird deleted upstream before it was read stays unknown.
          await readAll();
          world.expire(bird);
        }
      }

      try {
        await hub.reset();
        hub.start();
        for (const step of steps) await take(step);
        for (const bird of world.birds) world.leave(bird);
        at += 120_000;
        await readAll();
        // Changes by people upstream are read once a day.
        at += 25 * 3_600_000;
        await readAll();
        const stored = await hub.listDetections();
        expect(stored.map(describeStored)).toEqual(expectedOf(world.birds));
        const keys = [...new Set(world.birds.filter(({ isDeleted }) => !isDeleted).map(({ key }) => key))];
        expect(await hub.listRecordings()).toEqual(keys.sort());
        expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
        await readAll();
        expect(await hub.listDetections()).toEqual(stored);
      } finally {
        await hub.stop();
        await setBroker(true);
        await world.stop();
      }
    }

    it('after any history, has the recordings, detections and visits of the model', async () => {
      const anyHistory = fc.array(anyStep, { minLength: 1, maxLength: 25, size: 'max' });
      await fc.assert(fc.asyncProperty(anyHistory, play), { numRuns, endOnFailure: true });
    }, 600_000);
  },
);

const toText = ({ key, camera, species: name, start, end }: StoredDetection) =>
  `${key} on ${camera}: ${name} from ${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;

/** Offsets are stored in hundredths of a second. */
const hundredth = (instant: number) => Math.round(instant / 10) * 10;
const describeStored = (bird: StoredDetection) =>
  toText({ ...bird, start: hundredth(bird.start), end: hundredth(bird.end) });

function expectedOf(birds: readonly Bird[]): string[] {
  return birds
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ end = 0, species: name, corrected, ...bird }) => ({
      ...bird,
      species: corrected ?? name,
      start: hundredth(bird.start),
      end: hundredth(end),
    }))
    .sort((a, b) => a.start - b.start || compare(a.key, b.key) || compare(a.species, b.species))
    .map(toText);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
