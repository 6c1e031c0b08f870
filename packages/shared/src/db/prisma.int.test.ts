import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRecording, createTestDatabase, createTestWriter, type TestDatabase } from '../testing/index.js';
import { Prisma } from './generated/client.js';

describe('Prisma client', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await createTestWriter(database.pool).writer.post(aRecording(), 'test');
  });
  afterAll(() => database.drop());

  it.each(Object.values(Prisma.ModelName))(
    '%s, on the migrated database, is read column by column',
    async (model) => {
      const prisma = await database.prisma();
      const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}` as Uncapitalize<typeof model>;
      const delegate = prisma[name] as unknown as { findMany(query: { take: number }): Promise<unknown[]> };
      await expect(delegate.findMany({ take: 1 })).resolves.toBeInstanceOf(Array);
    },
  );

  it('a recording, with its relations, is the one that was posted', async () => {
    const prisma = await database.prisma();
    const video = await prisma.video.findFirstOrThrow({
      include: { detections: { include: { species: true, visit: true } } },
    });
    expect(video).toMatchObject({
      cameraId: 'garden',
      detectionCount: 1,
      startTime: new Date('2026-05-01T08:00:00Z'),
    });
    expect(video.detections).toMatchObject([
      { species: { name: 'Great Tit' }, visit: { maxSimultaneous: 1 } },
    ]);
  });
});
