import { describe, expect, it } from 'vitest';
import { divideIndexSql, divideSql, fillSql, partSql } from './monthly-sql.js';

describe('divideSql', () => {
  it('for boxes, which have no time of their own, adds one', () => {
    expect(divideSql('detection_track')).toEqual([
      'CREATE TABLE monthly.detection_track (LIKE public.detection_track INCLUDING DEFAULTS INCLUDING CONSTRAINTS ' +
        'INCLUDING STORAGE, start_time timestamptz(3) NOT NULL) PARTITION BY RANGE (start_time)',
    ]);
    expect(fillSql('detection_track')).toContain(
      'SELECT own.*, owner.start_time FROM public.detection_track',
    );
  });

  it('for recordings, which have a sequence, continues that of the plain table', () => {
    expect(divideSql('video')[1]).toContain("SET DEFAULT nextval('public.video_id_seq')");
  });
});

describe('partSql', () => {
  it('for a month, ends where the next begins', () => {
    expect(partSql('video', '2025-12')).toBe(
      'CREATE TABLE monthly.video_2025_12 PARTITION OF monthly.video ' +
        "FOR VALUES FROM ('2025-12-01') TO (timestamptz '2025-12-01' + interval '1 month')",
    );
  });
});

describe('divideIndexSql', () => {
  it('with a unique key, adds the time to it', () => {
    expect(
      divideIndexSql(
        'CREATE UNIQUE INDEX video_camera_id_video_path_key ON public.video USING btree (camera_id, video_path)',
      ),
    ).toBe(
      'CREATE UNIQUE INDEX video_camera_id_video_path_key ON monthly.video USING btree (camera_id, video_path, start_time)',
    );
  });

  it('with another index, keeps it with its condition', () => {
    const definition =
      'CREATE INDEX a ON public.video USING btree (start_time, id) WHERE (detection_count = 0)';
    expect(divideIndexSql(definition)).toBe(definition.replace('public.', 'monthly.'));
  });
});
