import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestHub } from '@birdhub/testing/hub';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { readProgram } from '../../scripts/documents/guide-blocks.js';
import { readJson } from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const run = promisify(execFile);
const page = 'processor-guide.md';
const soon = { interval: 200 };
// Services are killed, so that requests in progress fail.
const folder = useDataFolder({ killsProcesses: true });
let hub: TestHub;

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
});

const send = (path: string, method: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${hub.baseUrl}${path}`, {
    method,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const setSettings = async (settings: object) => {
  const response = await send('/api/ui/settings', 'PATCH', JSON.stringify(settings));
  expect(response.status).toBe(200);
};

interface Item {
  readonly species: { readonly name: string };
}

/** Returns the birds of a camera within an hour of a time. */
async function listBirds(camera: string, start: string): Promise<string[]> {
  const from = Date.parse(start) / 1000 - 3_600;
  const url = `${hub.baseUrl}/api/ui/timeline?start_time=${from}&end_time=${from + 7_200}&camera_id=${camera}`;
  return (await readJson<Item[]>(url)).map(({ species }) => species.name);
}

describe('a message of BirdNET-Pi through Apprise', () => {
  it('with target and body as in the guide, is stored', async () => {
    const pointers = { com: 'species_name', sci: 'scientific_name', sure: 'confidence', at: 'time' };
    const mapping = Object.fromEntries(
      Object.entries(pointers).map(([key, field]) => [field, `/message/${key}`]),
    );
    await setSettings({
      hooks: [{ name: 'birdnet-pi', ...mapping, camera_id: 'microphone', source: 'audio' }],
    });
    const target = new URL(
      readProgram(page, 'apprise')
        .trim()
        .replace(/^json:/, 'http:'),
    );
    // Apprise sends parameters that begin with a plus as headers.
    expect(target.search).toBe('?+X-Processor-Token=TOKEN');
    const values: Record<string, string> = {
      comname: 'Great Tit',
      sciname: 'Parus major',
      confidence: '0.93',
      date: '2026-05-02',
      time: '06:12:03',
    };
    const message = readProgram(page, 'birdnet')
      .trim()
      .replace(/\$([a-z]+)/g, (_, name: string) => values[name] ?? '');
    const body = { version: '1.0', title: 'New bird', message, attachments: [], type: 'info' };
    const response = await send(target.pathname, 'POST', JSON.stringify(body));
    expect([response.status, await response.json()]).toMatchObject([201, { created: true }]);
    expect(await listBirds('microphone', '2026-05-02T06:12:03Z')).toEqual(['Great Tit']);
  });
});

describe('Home Assistant', () => {
  interface Configuration {
    readonly rest_command: {
      readonly birdhub_sighting: {
        readonly url: string;
        readonly method: string;
        readonly headers: Record<string, string>;
        readonly content_type: string;
        readonly payload: string;
      };
    };
    readonly automation: readonly {
      readonly actions: readonly { readonly action: string; readonly data: object }[];
    }[];
  }

  it('with the configuration of the guide, posts a sighting', async () => {
    const secret = { tag: '!secret', resolve: (name: string) => `the ${name}` };
    const configuration = parse(readProgram(page, 'yaml'), { customTags: [secret] }) as Configuration;
    const command = configuration.rest_command.birdhub_sighting;
    const [action] = configuration.automation[0]?.actions ?? [];
    expect(action?.action).toBe('rest_command.birdhub_sighting');
    expect(command.headers).toEqual({ 'X-Processor-Token': 'the birdhub_token' });
    const now = new Date().toISOString();
    const values: Record<string, string> = { species: 'Robin', confidence: '0.8', camera: 'microphone-ha' };
    expect(Object.keys(action?.data ?? {}).sort()).toEqual(Object.keys(values).sort());
    const template = /\{\{ *([\w.()]+) *(\| *to_json)? *\}\}/g;
    const payload = command.payload.replace(template, (_, name: string, isJson?: string) => {
      const value = name === 'now().isoformat()' ? now : (values[name] ?? '');
      return isJson ? JSON.stringify(value) : value;
    });
    expect(payload).not.toContain('{{');
    const response = await send(new URL(command.url).pathname, command.method, payload, {
      'content-type': command.content_type,
    });
    expect([response.status, await response.json()]).toMatchObject([201, { created: true }]);
    expect(await listBirds('microphone-ha', now)).toHaveLength(1);
  });
});

const programs = findMosquitto();

describe.skipIf(!programs)('MQTT', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    if (programs) broker = await startMosquitto(programs);
  });
  afterAll(() => broker?.stop());

  const posts = async () =>
    (
      await readJson<{ mqtt_posts: { state: string; taken: number; refused: number } }>(
        `${hub.baseUrl}/api/ui/status`,
      )
    ).mqtt_posts;
  const publish = (script: string) =>
    run('sh', ['-euc', script], { env: { ...broker.env, BROKER: `mqtt://127.0.0.1:${broker.port}` } });

  it('with the commands of the guide, posts a sighting and a heartbeat', async () => {
    const account = { username: 'hub', password: 'a password that is sealed' };
    await setSettings({ mqtt: { broker: '127.0.0.1', port: broker.port, accept_posts: true, ...account } });
    await vi.waitFor(async () => expect((await posts()).state).toBe('ok'), soon);
    await publish(readProgram(page, 'sh'));
    await vi.waitFor(
      async () => expect(await listBirds('garden', '2026-05-01T06:12:03Z')).toEqual(['Great Tit']),
      soon,
    );
    const status = () => readJson<{ processor: string }>(`${hub.baseUrl}/api/ui/status`);
    await vi.waitFor(async () => expect((await status()).processor).toBe('ok'), soon);
  });

  it('with an invalid message, lists it with the field', async () => {
    await publish(`mosquitto_pub -q 1 -L "$BROKER/birdhub/in/garden" -m '{"species_name": ""}'`);
    const refused = () => readJson<{ topic: string; field: string }[]>(`${hub.baseUrl}/api/ui/mqtt/refused`);
    await vi.waitFor(async () => expect(await refused()).toHaveLength(1), soon);
    expect(await refused()).toMatchObject([
      { topic: 'birdhub/in/garden', reason: 'fields', field: '/species_name' },
    ]);
  });

  it('after the services were killed, takes messages published meanwhile', async () => {
    const killed = hub.kill('services');
    await publish(
      `mosquitto_pub -q 1 -L "$BROKER/birdhub/in/garden" -m '{"species_name": "Robin", "time": "2026-05-03T06:00:00Z"}'`,
    );
    await hub.waitUntilRestarted('services', killed);
    await vi.waitFor(
      async () => expect(await listBirds('garden', '2026-05-03T06:00:00Z')).toHaveLength(1),
      soon,
    );
  });
});
