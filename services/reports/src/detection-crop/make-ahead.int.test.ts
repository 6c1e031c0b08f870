import { createMemoryBus, type MemoryBus, type Subscription } from '@birdhub/shared/bus';
import { createFrameReader } from '@birdhub/shared/media';
import { aDetection, aRecording } from '@birdhub/shared/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '../testing/clips.js';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { createCrops } from './crops.js';
import { findKeptCrop } from './kept-crops.js';
import { makeCropsAhead } from './make-ahead.js';

const logged: string[] = [];
const log = pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line).msg) });

describe('makeCropsAhead', () => {
  let reports: TestReports;
  let bus: MemoryBus;
  let ahead: Subscription;

  /** Makes crops ahead with this program. */
  function makeWith(ffmpegPath: string): Subscription {
    const { dataDir, database } = reports;
    const recordingsDir = `${dataDir}/recordings`;
    const frameReader = createFrameReader({ ffmpegPath, ffprobePath: 'ffprobe' });
    const crops = createCrops({ dataDir, recordingsDir, frameReader, log });
    return makeCropsAhead({ bus, pool: database.pool, crops, recordingsDir, log });
  }

  beforeAll(async () => {
    reports = await createTestReports();
    bus = createMemoryBus(log);
    ahead = makeWith('ffmpeg');
    await ahead.ready;
    await makeClip(`${reports.dataDir}/recordings/there.mp4`, 'color=red:s=320x240:r=10:d=3');
  });
  afterAll(async () => {
    await ahead.close();
    await bus.close();
    await reports.close();
  });

  /** Posts a recording, tells of it as the outbox does, and answers its detections. */
  async function arrive(videoPath: string, start: number) {
    const box = { t: 1, bbox: [0.2, 0.2, 0.6, 0.6] as const };
    const seen = aDetection({ frames: [{ ...box, bbox: [...box.bbox] }] });
    const detections = [seen, aDetection({ source: 'audio' })];
    const { videoId } = await reports.writer.post(aRecording({ start, videoPath, detections }), 'test');
    const time = new Date(start).toISOString();
    const payload = { video_id: videoId, camera_id: null, start_time: time, end_time: time, created: true };
    await bus.publish(
      'hub.v1.recording.upserted',
      { ...payload, detections: 2, species_ids: [], visit_ids: [] },
      { id: `arrived-${videoId}` },
    );
    const { rows } = await reports.database.pool.query<{ id: number; source: string }>(
      'SELECT id, source FROM detection WHERE video_id = $1',
      [videoId],
    );
    const kept = (source: string) =>
      findKeptCrop(reports.dataDir, videoId, rows.find((row) => row.source === source)?.id ?? 0);
    return { kept };
  }

  it('a recording that arrives with its file, has the crops of what was seen', async () => {
    const { kept } = await arrive('there.mp4', Date.UTC(2026, 4, 1));
    await expect.poll(() => kept('video'), { timeout: 10_000 }).toContain('crops');
    expect(await kept('audio')).toBeUndefined();
  });

  it('one whose file is not there yet, holds up none that come after', async () => {
    const early = await arrive('missing.mp4', Date.UTC(2026, 4, 2));
    const { kept } = await arrive('there.mp4', Date.UTC(2026, 4, 3));
    await expect.poll(() => kept('video'), { timeout: 10_000 }).toContain('crops');
    expect(await early.kept('video')).toBeUndefined();
  });

  it('one that no program is there to make crops of, is done with', async () => {
    await ahead.close();
    ahead = makeWith('/nonexistent');
    await ahead.ready;
    await makeClip(`${reports.dataDir}/recordings/other.mp4`, 'color=blue:s=320x240:r=10:d=3');
    const { kept } = await arrive('other.mp4', Date.UTC(2026, 4, 4));
    await expect.poll(() => logged, { timeout: 10_000 }).toContain('crops not made ahead');
    expect(logged).not.toContain('event not handled, trying again');
    expect(await kept('video')).toBeUndefined();
  });
});
