import { createSingleFlight } from '@birdhub/shared/async';
import { queryRow } from '@birdhub/shared/db';
import { invalidField } from '@birdhub/shared/errors';
import type pg from 'pg';

/** Pages list all cameras, and paths of files are compared with each of them. */
const maxCameras = 1_000;

const findSql = `
  SELECT EXISTS (SELECT FROM camera WHERE id = $1) AS "isKnown", (SELECT count(*) FROM camera) AS count`;

/** Refuses recordings of further cameras when there are too many. Concurrent posts may exceed the limit slightly. */
export class CameraLimit {
  readonly #pool: pg.Pool;
  /** Those that are stored. */
  readonly #known = new Set(['']);
  readonly #checks = createSingleFlight<void>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** @throws HubError invalid_request naming `/camera_id` */
  async require(cameraId: string): Promise<void> {
    if (!this.#known.has(cameraId)) await this.#checks.run(cameraId, () => this.#check(cameraId));
  }

  async #check(cameraId: string): Promise<void> {
    const { isKnown, count } = await queryRow<{ isKnown: boolean; count: number }>(this.#pool, {
      text: findSql,
      values: [cameraId.toWellFormed()],
    });
    if (isKnown) this.#known.add(cameraId);
    else if (count >= maxCameras)
      throw invalidField('/camera_id', `must be a known camera, as the hub has ${maxCameras} already`);
  }
}
