import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = 'deploy/home-assistant/birdhub';
const read = (path: string) => readFileSync(path, 'utf8');
const readYaml = (path: string) => parse(read(path));
const config = readYaml(`${folder}/config.yaml`);
const languages = ['en', 'de', 'ru'];

/** What this add-on uses of https://developers.home-assistant.io/docs/add-ons/configuration. */
const schema = {
  type: 'object',
  required: ['name', 'version', 'slug', 'description', 'arch', 'options', 'schema'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    slug: { type: 'string', pattern: '^[-_.A-Za-z0-9]+$' },
    description: { type: 'string', minLength: 1 },
    url: { type: 'string', pattern: '^https://' },
    image: { type: 'string', pattern: '^([a-z0-9][a-z0-9.-]*(:\\d+)?/)*[a-z0-9{][a-z0-9{}_.-]*$' },
    arch: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['amd64', 'aarch64', 'armhf', 'armv7', 'i386'] },
    },
    init: { type: 'boolean' },
    startup: { enum: ['initialize', 'system', 'services', 'application', 'once'] },
    boot: { enum: ['auto', 'manual', 'manual_only'] },
    panel_icon: { type: 'string', pattern: '^mdi:[a-z0-9-]+$' },
    panel_title: { type: 'string' },
    panel_admin: { type: 'boolean' },
    ingress: { type: 'boolean' },
    ingress_port: { type: 'integer', minimum: 0, maximum: 65_535 },
    ingress_stream: { type: 'boolean' },
    ports: {
      type: 'object',
      propertyNames: { pattern: '^\\d+/(tcp|udp)$' },
      additionalProperties: { type: ['integer', 'null'] },
    },
    ports_description: {
      type: 'object',
      propertyNames: { pattern: '^\\d+/(tcp|udp)$' },
      additionalProperties: { type: 'string' },
    },
    map: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type'],
        additionalProperties: false,
        properties: {
          type: {
            enum: [
              'data',
              'addon_config',
              'all_addon_configs',
              'addons',
              'backup',
              'homeassistant_config',
              'media',
              'share',
              'ssl',
            ],
          },
          read_only: { type: 'boolean' },
          path: { type: 'string', minLength: 1 },
        },
      },
    },
    backup: { enum: ['hot', 'cold'] },
    timeout: { type: 'integer', minimum: 10, maximum: 300 },
    watchdog: { type: 'string', pattern: '^(https?|tcp)://\\[HOST\\]:(\\[PORT:\\d+\\]|\\d+)' },
    options: { type: 'object' },
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'string',
        pattern:
          '^(str|bool|int|float|email|password|url|port|match\\(.*\\)|list\\(.+\\)|device(\\(.*\\))?)(\\(.*\\))?\\??$',
      },
    },
  },
};

describe('the Home Assistant add-on', () => {
  it('configuration, by the rules of the Supervisor, is valid', () => {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
    validate(config);
    expect(validate.errors).toBeNull();
  });

  it('version, compared with that of the hub, is the same', () => {
    expect(config.version).toBe(read('VERSION').trim());
    expect(read(`${folder}/Dockerfile`)).toContain(`BUILD_VERSION=${config.version}`);
  });

  it('options, in every language, have a schema and a text', () => {
    expect(Object.keys(config.schema)).toEqual(Object.keys(config.options));
    for (const language of languages) {
      const { configuration, network } = readYaml(`${folder}/translations/${language}.yaml`);
      expect(Object.keys(configuration)).toEqual(Object.keys(config.schema));
      expect(Object.keys(network)).toEqual(Object.keys(config.ports));
      for (const { name, description } of Object.values<Record<string, string>>(configuration))
        expect([typeof name, typeof description]).toEqual(['string', 'string']);
    }
  });

  it('program, compared with the configuration, listens on its port and reads every option', () => {
    const program = read(`${folder}/run.mjs`);
    expect(program).toContain(`PORT: '${config.ingress_port}'`);
    expect(config.watchdog).toContain(`[PORT:${config.ingress_port}]/api/ui/health`);
    expect(config.ports).toHaveProperty([`${config.ingress_port}/tcp`]);
    for (const option of Object.keys(config.options)) expect(program).toContain(`options.${option}`);
    expect(program).toContain("TRUSTED_PROXIES: '172.30.32.2'");
    expect(program).not.toContain('PUSH_ALLOW_PRIVATE');
  });

  it('image, for each architecture, is built from existing files', () => {
    const { build_from } = readYaml(`${folder}/build.yaml`);
    expect(Object.keys(build_from)).toEqual(config.arch);
    const copied = [...read(`${folder}/Dockerfile`).matchAll(/^COPY (?!\. )(\S+) /gm)].map(
      ([, path]) => path ?? '',
    );
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('image, when it is built, is set up, and has an init for orphaned processes', () => {
    const setUp = 'packages/launcher/setup.mjs';
    expect(read(`${folder}/Dockerfile`)).toContain(`RUN node ${setUp}`);
    const program = read(`${folder}/run.mjs`);
    expect(existsSync(setUp) && existsSync('packages/launcher/src/main.ts')).toBe(true);
    expect(program).toContain('/app/packages/launcher/dist/main.js');
    expect(program).not.toContain('setup.mjs');
    expect(config.init).not.toBe(false);
  });

  it('pictures and texts, for the store, exist', () => {
    for (const name of ['icon.png', 'logo.png'])
      expect(readFileSync(`${folder}/${name}`).subarray(1, 4).toString()).toBe('PNG');
    for (const name of ['DOCS.md', 'CHANGELOG.md'])
      expect(read(`${folder}/${name}`).length).toBeGreaterThan(50);
    expect(readYaml('deploy/home-assistant/repository.yaml')).toMatchObject({
      name: expect.any(String),
      maintainer: expect.any(String),
    });
  });

  it('blueprint and card, in their references, use only known inputs and domains', () => {
    const text = read('docs/home-assistant/bird-arrived.blueprint.yaml');
    const { blueprint, triggers, actions } = parse(text, {
      customTags: [{ tag: '!input', resolve: (name: string) => `input ${name}` }],
    });
    expect(blueprint.domain).toBe('automation');
    const used = [...text.matchAll(/!input (\w+)/g)].map(([, name]) => name ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(blueprint.input).sort());
    expect(triggers).toHaveLength(1);
    expect(actions.length).toBeGreaterThan(0);
    const entities = [
      ...read('docs/home-assistant/card.yaml').matchAll(/(?:entity: |- )(\w+)\.birdhub_\w+/g),
    ];
    expect(entities.map(([, domain]) => domain)).toEqual(
      expect.arrayContaining(['image', 'sensor', 'binary_sensor', 'button', 'event']),
    );
  });
});
