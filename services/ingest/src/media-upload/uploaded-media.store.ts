import { anyCameraSql, mediaKindOf, namesFile } from '@birdhub/domain/media';
import { recordUpload, renewUpload, type UploadedFile } from '@birdhub/domain/storage';
import type { ChangeNotifier } from '@birdhub/shared/db';
import { commit, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** Dependencies of {@link UploadedMediaStore}. */
export interface UploadedMediaDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
}

/** A recording, found by the path of its file; `state` is `deleted` when a user has deleted it. */
interface NamedRecording {
  /** Null for a deleted one. */
  readonly id: number | null;
  readonly state: 'pending' | 'ready' | 'missing' | 'purged' | 'none' | 'deleted';
}

const isAwaiting = ({ state }: NamedRecording) => state === 'pending' || state === 'missing';

const isOfFile = namesFile('video_path', '$1::text');

const findSql = `
  WITH ${anyCameraSql}
  SELECT id, media AS state FROM any_camera JOIN video USING (camera_id) WHERE ${isOfFile}
  UNION ALL
  SELECT NULL, 'deleted' FROM any_camera JOIN deleted_video USING (camera_id) WHERE ${isOfFile}`;

/** Access of uploads to the table of recordings. */
export class UploadedMediaStore {
  readonly #deps: UploadedMediaDeps;

  constructor(deps: UploadedMediaDeps) {
    this.#deps = deps;
  }

  /** Returns why the file of a path is no longer accepted; undefined when it is. `path` is relative to the tree. */
  async findObstacle(path: string): Promise<'media_purged' | 'recording_deleted' | undefined> {
    const states = (await this.#find(path)).map(({ state }) => state);
    if (states.some((state) => state !== 'purged' && state !== 'deleted')) return undefined;
    if (states.includes('purged')) return 'media_purged';
    return states.length ? 'recording_deleted' : undefined;
  }

  /** Whether a posted recording waits for the file of a path. */
  async isAwaited(path: string): Promise<boolean> {
    return (await this.#find(path)).some(isAwaiting);
  }

  /** Publishes an event for each posted recording that waits for this file. */
  async announce(path: string, sizeBytes: number, requestId: string): Promise<void> {
    const awaiting = (await this.#find(path)).filter(isAwaiting);
    const events = awaiting.flatMap(({ id }) =>
      id === null
        ? []
        : [
            outboxRow(
              'hub.v1.media.uploaded',
              `recording ${id}`,
              { video_id: id, media_kind: mediaKindOf(path), path, bytes: sizeBytes },
              requestId,
            ),
          ],
    );
    if (events.length) await commit(this.#deps, async ({ publish }) => publish(...events));
  }

  /** Records a received file, which is removed later if no recording names it. */
  record(file: UploadedFile): Promise<void> {
    return recordUpload(this.#deps.pool, file);
  }

  /** Forgets the parts whose paths begin so. */
  async forgetParts(prefix: string): Promise<void> {
    await this.#deps.pool.query('DELETE FROM uploaded_file WHERE starts_with(path, $1)', [prefix]);
  }

  /** Forgets unfinished uploads that are no longer kept. */
  async forgetOldParts(): Promise<void> {
    await this.#deps.pool.query(
      `DELETE FROM uploaded_file WHERE path ~ '(^|/)[.]upload-[^/]*$' AND uploaded_at < now() - interval '25 hours'`,
    );
  }

  /** Records that the file of a path was uploaded again. */
  renew(path: string): Promise<void> {
    return renewUpload(this.#deps.pool, path);
  }

  async #find(path: string): Promise<NamedRecording[]> {
    const query = { name: 'recordings-of-upload', text: findSql, values: [path] };
    return (await this.#deps.pool.query<NamedRecording>(query)).rows;
  }
}
