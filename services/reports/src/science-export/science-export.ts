import { openMediaFile } from '@birdhub/domain/media';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { ArchiveFile } from '../archive/write-zip.js';
import { readSnapshot } from '../read-snapshot.js';
import {
  dataPackageJson,
  deploymentsTable,
  type MediaChoice,
  mediaTable,
  observationsTable,
} from './camtrap-dp.js';
import {
  type Core,
  emlXml,
  eventTable,
  metaXml,
  multimediaTable,
  occurrencesByDay,
  occurrenceTable,
} from './darwin-core.js';
import { type Deployment, hasRecordings, readDeployments, readHoursWatched } from './deployments.store.js';
import type { Publication } from './publication.js';
import {
  type MediaFileRow,
  mediaFileRows,
  type RowSource,
  readScienceRows,
  readTaxa,
  type ScienceSearch,
} from './science.store.js';

/** Dependencies for writing a data set for science. */
export interface ScienceDeps {
  readonly readPool: pg.Pool;
  readonly recordingsDir: string;
}

/** A requested data set. */
export interface ScienceRequest {
  readonly search: ScienceSearch;
  readonly publication: Publication;
  readonly media: MediaChoice;
  /** Whether anybody who can reach the hub may access recordings. */
  readonly isPublic: boolean;
  /** In ms since the epoch. */
  readonly createdAt: number;
  readonly signal: AbortSignal;
}

/** Yields the files of a Camtrap DP data package. @throws HubError dataset_empty when there are no recordings */
export function writeCamtrapDp(deps: ScienceDeps, request: ScienceRequest): AsyncGenerator<ArchiveFile> {
  return readSnapshot(deps.readPool, async function* (client) {
    const { search, publication, media, isPublic, createdAt } = request;
    const deployments = await findDeployments(client, search);
    const { text, rows } = archiveFiles(client, request, deployments);
    yield {
      name: 'deployments.csv',
      date: new Date(createdAt),
      // The header is sent before the deployments are known.
      async *content() {
        yield Buffer.from(deploymentsTable.header);
        yield Buffer.from(deploymentsTable.rows(await deployments(), publication));
      },
    };
    const taxa = await readTaxa(client, search);
    yield text('datapackage.json', dataPackageJson(publication, await deployments(), taxa, createdAt));
    const table = mediaTable(media, isPublic);
    yield rows('media.csv', table.header, table.rows);
    yield rows(
      'observations.csv',
      observationsTable.header,
      observationsTable.events,
      observationsTable.detections,
    );
    if (media === 'files') yield* readMediaFiles(deps, client, request, await deployments());
  });
}

/** Yields the files of a Darwin Core Archive. @throws HubError dataset_empty when there are no recordings */
export function writeDarwinCore(
  deps: ScienceDeps,
  request: ScienceRequest,
  core: Core,
): AsyncGenerator<ArchiveFile> {
  return readSnapshot(deps.readPool, async function* (client) {
    const { search, publication, media, isPublic, createdAt } = request;
    const deployments = await findDeployments(client, search);
    const { text, rows } = archiveFiles(client, request, deployments);
    const packageId = `birdhub-${createdAt.toString(36)}`;
    const eml = async () => text('eml.xml', emlXml(publication, await deployments(), createdAt, packageId));
    if (core === 'event') {
      const found = await deployments();
      const event = eventTable(publication, await readHoursWatched(client, search, found), found);
      const occurrence = occurrencesByDay(publication);
      yield text('meta.xml', metaXml(core, { event: event.columns, occurrence: occurrence.columns }));
      yield text('event.csv', event.text);
      yield rows('occurrence.csv', occurrence.header, occurrence.rows);
      yield await eml();
      return;
    }
    const occurrence = occurrenceTable(publication);
    const multimedia =
      media === 'none' ? undefined : multimediaTable(publication, isPublic, media === 'files');
    yield text(
      'meta.xml',
      metaXml(core, {
        occurrence: occurrence.columns,
        ...(multimedia && { multimedia: multimedia.columns }),
      }),
    );
    yield rows('occurrence.csv', occurrence.header, occurrence.rows);
    if (multimedia) yield rows('multimedia.csv', multimedia.header, multimedia.rows);
    yield await eml();
    if (media === 'files') yield* readMediaFiles(deps, client, request, await deployments());
  });
}

/**
 * Returns a function that reads the deployments of a search once.
 * @throws HubError dataset_empty when there are none, which is a cheaper query
 */
async function findDeployments(
  client: pg.ClientBase,
  search: ScienceSearch,
): Promise<() => Promise<Deployment[]>> {
  if (!(await hasRecordings(client, search))) throw new HubError('dataset_empty');
  let deployments: Promise<Deployment[]> | undefined;
  return () => {
    deployments ??= readDeployments(client, search);
    return deployments;
  };
}

/** Creates files of an archive from a text, or from the header and rows of a table. */
function archiveFiles(
  client: pg.ClientBase,
  { search, createdAt, signal }: ScienceRequest,
  deployments: () => Promise<readonly Deployment[]>,
) {
  const date = new Date(createdAt);
  return {
    text: (name: string, content: string): ArchiveFile => ({ name, content: Buffer.from(content), date }),
    rows: (name: string, header: string, ...sources: readonly RowSource[]): ArchiveFile => ({
      name,
      date,
      async *content() {
        yield Buffer.from(header);
        const rows = await deployments();
        for (const source of sources) yield* readScienceRows(client, source, search, rows, signal);
      },
    }),
  };
}

/** Files up to this size are read into memory; larger ones are streamed. */
const maxWholeBytes = 8 * 1024 * 1024;

/** Yields the files of the recordings in the tables; missing ones are skipped. */
async function* readMediaFiles(
  { recordingsDir }: ScienceDeps,
  client: pg.ClientBase,
  { search, signal }: ScienceRequest,
  deployments: readonly Deployment[],
): AsyncGenerator<ArchiveFile> {
  for await (const text of readScienceRows(client, mediaFileRows, search, deployments, signal)) {
    for (const row of text.toString().split('\n')) {
      const { videoPath, name, start } = JSON.parse(row) as MediaFileRow;
      const file = await openMediaFile(recordingsDir, videoPath);
      if (!file) continue;
      try {
        const content =
          file.size <= maxWholeBytes
            ? await file.handle.readFile()
            : () => file.handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
        yield { name: `media/${name}`, content, date: new Date(start) };
      } finally {
        await file.handle.close();
      }
    }
  }
}
