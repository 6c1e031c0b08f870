import { defaultSettings, type Settings, type SettingsWriter } from '@birdhub/domain/settings';
import { HubError } from '@birdhub/shared/errors';
import { describe, expect, it } from 'vitest';
import { setDemoSettings, unsetDemoSettings } from './demo-settings.js';

const own = { id: 'own', name: 'Own' };
const added = { id: 'added', name: 'Added meanwhile' };
const cameras = ['demo-garden', 'demo-balcony'];

/** Settings with some cameras, to which a person adds one between the first read and the first change. */
function createSettings(ids: readonly string[]) {
  let now = defaultSettings('UTC');
  let version = 1;
  const store = (next: object[]) => {
    version += 1;
    now = { ...now, video: { ...now.video, cameras: next as unknown as Settings['video']['cameras'] } };
  };
  store([own, ...ids.map((id) => ({ id, name: id }))]);
  const writer = {
    async read() {
      const shown = { version, settings: now };
      if (version === 2) store([...now.video.cameras, added]);
      return shown;
    },
    async change({ video }: { video?: { cameras: object[] } }, by: { ifVersions?: readonly number[] }) {
      if (by.ifVersions && !by.ifVersions.includes(version)) throw new HubError('conflict');
      if (video) store(video.cameras);
    },
  } as unknown as SettingsWriter;
  return { writer, cameraIds: () => now.video.cameras.map(({ id }) => id) };
}

describe('the settings of the demo', () => {
  it('when a person adds a camera while they are set, keep it', async () => {
    const { writer, cameraIds } = createSettings([]);
    await setDemoSettings({ forget: () => undefined }, writer, { cameras });
    expect(cameraIds()).toEqual(['own', 'added', ...cameras]);
  });

  it('when a person adds a camera while they are reverted, keep it', async () => {
    const { writer, cameraIds } = createSettings(cameras);
    await unsetDemoSettings(writer, { cameras });
    expect(cameraIds()).toEqual(['own', 'added']);
  });
});
