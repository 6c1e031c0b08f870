import { localDay, nextDay, startOfDay } from '@birdhub/shared/time';
import { Type } from 'typebox';
import { HubCallError, type HubCalls } from './hub-calls.js';
import { findSpecies, type HubTool, id, number, speciesInput, type ToolOutput, text, tool } from './tool.js';

const maxRows = 100;
const defaultRows = 25;
const maxDays = 31;
const maxPictureBytes = 400_000;
const maxSoundBytes = 300_000;
const pictureWidth = 640;

const day = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: `${description}, YYYY-MM-DD in the hub's zone`,
  });
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: maxRows, default: defaultRows, description: 'Rows at once' }),
);
const cursor = Type.Optional(
  Type.String({ maxLength: 200, description: '`next_cursor` of the page before' }),
);
const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'For the next page; null at the end',
});

const Bird = Type.Object({
  species_id: number('Id of the species'),
  name: text('English name'),
  scientific_name: Type.Union([Type.String(), Type.Null()], { description: 'Scientific name' }),
});

const reading = { readOnlyHint: true, openWorldHint: false } as const;

const reportFormats = [
  'pdf',
  'csv',
  'json',
  'ebird',
  'camtrap-dp',
  'dwca',
  'inaturalist',
  'observation-org',
] as const;
/** The content types of exports that are no archives. */
const typeOfExport: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ebird: 'text/csv',
};

/** The tools that read, in the order in which they are listed. */
export const readTools: readonly HubTool[] = [
  tool({
    name: 'who_came',
    title: 'Who came',
    description:
      'Lists visits of a day or of up to 31 days, the newest first: species, times, birds at once, camera, certainty.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      date: Type.Optional(day('A day')),
      from: Type.Optional(day('First day, with `to`')),
      to: Type.Optional(day('Last day')),
      species: Type.Optional(speciesInput),
      camera: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a camera' })),
      limit,
      cursor,
    }),
    output: Type.Object({
      visits: Type.Array(
        Type.Object({
          visit_id: number('Id of the visit, for show_picture'),
          species: Bird,
          start: text('Start with offset'),
          end: text('End with offset'),
          birds: number('Most birds at once'),
          cameras: Type.Array(Type.String()),
          certainty: number('Confidence of the surest detection, 0 to 1'),
          reviewed: Type.Boolean({ description: 'Whether a person confirmed it' }),
          detection_id: number('The surest detection, for show_picture, confirm and correct'),
          video_id: number('Its recording'),
        }),
      ),
      total: number('Visits in all'),
      next_cursor: nextCursor,
    }),
    async run({ date, from, to, species, camera, limit: rows = defaultRows, cursor: page }, hub) {
      const window = await readDays(hub, { date, from, to });
      const species_id = species === undefined ? undefined : (await findSpecies(hub, species)).species_id;
      const items = await hub.get('/api/ui/timeline', { ...window, species_id, camera_id: camera });
      const visits = items
        .filter((item: TimelineItem) => item.timeline_kind === 'visit')
        .sort(
          (a: TimelineItem, b: TimelineItem) =>
            Date.parse(b.start_time) - Date.parse(a.start_time) || b.id - a.id,
        );
      const { part, next } = pageOf<TimelineItem>(visits, rows, page);
      const value = await Promise.all(part.map((item) => describeVisit(item, hub)));
      return { value: { visits: value, total: visits.length, next_cursor: next } };
    },
  }),
  tool({
    name: 'day_summary',
    title: 'Summary of a day',
    description:
      'Visits, species, busiest hour, what was new, sunrise and sunset of one day, and its best moments.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({ date: day('The day') }),
    output: Type.Object({
      date: text('The day'),
      visits: number('Visits of birds'),
      species: Type.Array(Type.Object({ name: text('Name'), visits: number('Visits') })),
      species_count: number('Species of birds'),
      busiest_hour: Type.Union([Type.Number(), Type.Null()]),
      noteworthy: Type.Array(
        Type.Object({ species_id: number('Id'), name: text('Name'), reason: text('Why') }),
      ),
      sunrise: Type.Union([Type.String(), Type.Null()]),
      sunset: Type.Union([Type.String(), Type.Null()]),
      temperatures: Type.Array(Type.Union([Type.Number(), Type.Null()]), { description: '°C by hour' }),
    }),
    async run({ date }, hub) {
      const [overview, sun] = await Promise.all([
        hub.get('/api/ui/overview', { date }),
        hub.get('/api/ui/sun-times', { date }).catch(ignoreRefused),
      ]);
      const zoned = (instant: unknown) => (typeof instant === 'string' ? hub.local(instant) : null);
      return {
        value: {
          date,
          visits: overview.stats.totalDetections,
          species_count: overview.stats.uniqueSpecies,
          busiest_hour: overview.stats.busiestHour,
          species: overview.topSpecies.map(
            ({ name, detections }: { name: string; detections: number[] }) => ({
              name,
              visits: detections.reduce((sum, one) => sum + one, 0),
            }),
          ),
          noteworthy: await Promise.all(
            (overview.noteworthy ?? []).map((one: Noteworthy) => describeNoteworthy(one, hub)),
          ),
          sunrise: await zoned(sun?.sunrise),
          sunset: await zoned(sun?.sunset),
          temperatures: overview.hourlyTemperature,
        },
      };
    },
  }),
  tool({
    name: 'find_species',
    title: 'Find a species',
    description: 'Finds species of this hub by a part of a name, those with most visits first.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      text: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A part of a name, or a label of a detector',
      }),
      limit,
      cursor,
    }),
    output: Type.Object({
      species: Type.Array(Type.Object({ ...Bird.properties, visits: number('Visits ever') })),
      next_cursor: nextCursor,
    }),
    async run({ text: wanted, limit: rows = defaultRows, cursor: page }, hub) {
      const [all, resolved] = await Promise.all([
        hub.get('/api/ui/species'),
        hub.get('/api/ui/species/resolve', { label: wanted }).catch(ignoreRefused),
      ]);
      const part = wanted.toLowerCase();
      const found = (all as ListedSpecies[])
        .filter(
          (one) =>
            one.id === resolved?.species_id ||
            one.name.toLowerCase().includes(part) ||
            one.scientific_name?.toLowerCase().includes(part),
        )
        .sort((a, b) => b.visits - a.visits || a.name.localeCompare(b.name) || a.id - b.id);
      const { part: listed, next } = pageOf(found, rows, page);
      return {
        value: { species: listed.map((one) => ({ ...toBird(one), visits: one.visits })), next_cursor: next },
      };
    },
  }),
  tool({
    name: 'species_story',
    title: 'The story of a species',
    description:
      'Numbers of one species here: visits of the last day, week and month and ever, first and last time, hours of the day.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({ species: speciesInput }),
    output: Type.Object({
      species: Bird,
      about: Type.Union([Type.String(), Type.Null()]),
      total_visits: number('Visits ever'),
      visits_24h: number('In the last day'),
      visits_7d: number('In the last week'),
      visits_30d: number('In the last month'),
      heard_only: Type.Boolean({ description: 'Whether it was never seen' }),
      first_time: Type.Union([Type.String(), Type.Null()]),
      last_time: Type.Union([Type.String(), Type.Null()]),
      visits_by_hour: Type.Array(Type.Number(), { description: 'By hour of the day' }),
    }),
    async run({ species }, hub) {
      const { species_id } = await findSpecies(hub, species);
      const { species: found, stats } = await hub.get(`/api/ui/species/${species_id}/summary`);
      const { first_sighting: first, last_sighting: last } = stats.timeRange;
      return {
        value: {
          species: toBird(found),
          about: found.description,
          total_visits: stats.total_visits,
          visits_24h: stats.visits.visits_24h,
          visits_7d: stats.visits.visits_7d,
          visits_30d: stats.visits.visits_30d,
          heard_only: stats.heard_only,
          first_time: first ? await hub.local(first) : null,
          last_time: last ? await hub.local(last) : null,
          visits_by_hour: stats.hourlyVisits,
        },
      };
    },
  }),
  tool({
    name: 'compare_periods',
    title: 'Compare two periods',
    description:
      'Visits and species of two periods of up to 366 days side by side, in all or of one species.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      from: day('First day of the period'),
      to: day('Last day of the period'),
      other_from: day('First day of the other period'),
      other_to: day('Last day of the other period'),
      species: Type.Optional(speciesInput),
      limit,
    }),
    output: Type.Object({
      periods: Type.Array(
        Type.Object({
          from: text('First day'),
          to: text('Last day'),
          visits: number('Visits'),
          species: number('Species'),
        }),
      ),
      species: Type.Array(
        Type.Object({
          ...Bird.properties,
          visits: Type.Array(Type.Number(), { description: 'In each period' }),
        }),
      ),
    }),
    async run({ from, to, other_from, other_to, species, limit: rows = defaultRows }, hub) {
      const wanted = species === undefined ? undefined : (await findSpecies(hub, species)).species_id;
      const compared = await hub.get('/api/ui/comparison', {
        start_date: from,
        end_date: to,
        other_start_date: other_from,
        other_end_date: other_to,
      });
      const listed = (compared.species as (ListedSpecies & { visits: unknown })[]).filter(
        (one) => wanted === undefined || one.id === wanted,
      );
      return {
        value: {
          periods: compared.periods.map(
            (one: { start_date: string; end_date: string; visits: number; species: number }) => ({
              from: one.start_date,
              to: one.end_date,
              visits: one.visits,
              species: one.species,
            }),
          ),
          species: listed.slice(0, rows).map((one) => ({ ...toBird(one), visits: one.visits })),
        },
      };
    },
  }),
  tool({
    name: 'show_picture',
    title: 'Show a picture',
    description: 'The best picture of a visit, of a detection or of a recording, and a link to its video.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      visit_id: Type.Optional(id('A visit, of who_came')),
      detection_id: Type.Optional(id('A detection, of who_came or doubtful')),
      video_id: Type.Optional(id('A recording')),
    }),
    output: Type.Object({ shown: text('What the picture shows'), page: text('Its page in the hub') }),
    async run({ visit_id, detection_id, video_id }, hub) {
      if ([visit_id, detection_id, video_id].filter((given) => given !== undefined).length !== 1)
        throw new HubCallError('Name one of visit_id, detection_id and video_id.');
      const visit = visit_id === undefined ? undefined : await hub.get(`/api/ui/visits/${visit_id}`);
      const detection = detection_id ?? visit?.best?.detection_id;
      const recording = video_id ?? visit?.best?.video_id;
      const path =
        detection === undefined
          ? `/api/ui/videos/${recording}/poster`
          : `/api/ui/detections/${detection}/crop`;
      const picture = await hub.medium(path, maxPictureBytes, { width: pictureWidth });
      const what = visit
        ? `${visit.species.name}, ${await hub.local(visit.start_time)}`
        : detection === undefined
          ? `Recording ${recording}`
          : `Detection ${detection}`;
      const shown = picture ? what : `${what}: the picture is too large to be sent here`;
      return {
        value: { shown, page: hub.link(recording === undefined ? '/timeline' : `/videos/${recording}`) },
        pictures: picture ? [picture] : [],
        links: recording === undefined ? [] : [linkToRecording(hub, recording, visit?.media_kind)],
      };
    },
  }),
  tool({
    name: 'listen',
    title: 'Listen to a recording',
    description: 'The sound of a recording of up to 300 KB, else a link to it.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({ video_id: id('The recording') }),
    output: Type.Object({
      video_id: number('The recording'),
      start: text('Its start with offset'),
      birds: Type.Array(Type.String()),
    }),
    async run({ video_id }, hub) {
      const video = await hub.get(`/api/ui/videos/${video_id}`);
      const path = `/api/ui/videos/${video_id}/stream`;
      const isSound = video.media_kind === 'audio';
      const sound = isSound ? await hub.medium(path, maxSoundBytes) : undefined;
      const birds = [
        ...new Set((video.species as { species_name: string }[]).map(({ species_name }) => species_name)),
      ];
      return {
        value: { video_id, start: await hub.local(video.start_time), birds },
        sound,
        links: sound ? [] : [linkToRecording(hub, video_id, video.media_kind)],
      };
    },
  }),
  tool({
    name: 'doubtful',
    title: 'Doubtful detections',
    description:
      'Detections of a day that nobody has reviewed and the detector was not sure of, each with its picture.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      date: Type.Optional(day('A day; today when left out')),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10, default: 5, description: 'Detections at once' }),
      ),
    }),
    output: Type.Object({
      detections: Type.Array(
        Type.Object({
          detection_id: number('For confirm and correct'),
          video_id: number('Its recording'),
          proposed: text('The name that the detector gave'),
          certainty: number('0 to 1'),
          at: text('When, with offset'),
          picture: Type.Union([Type.Number(), Type.Null()], {
            description: 'Which of the pictures of this answer shows it, from 1; null when there is none',
          }),
        }),
      ),
    }),
    async run({ date, limit: rows = 5 }, hub) {
      const found = (await hub.get('/api/ui/unknowns', {
        ...(await readDays(hub, { date })),
        limit: rows,
      })) as Doubtful[];
      const pictures = await Promise.all(
        found.map(({ id: detection }) =>
          hub
            .medium(`/api/ui/detections/${detection}/crop`, maxPictureBytes, { width: 320 })
            .catch(ignoreRefused),
        ),
      );
      const shown = pictures.flatMap((picture, index) => (picture ? [{ picture, index }] : []));
      const numberOf = (index: number) => shown.findIndex((one) => one.index === index) + 1 || null;
      return {
        value: {
          detections: await Promise.all(
            found.map(async (one, index) => ({
              detection_id: one.id,
              video_id: one.video_id,
              proposed: one.species_name,
              certainty: one.confidence,
              at: await hub.local(one.start_time),
              picture: numberOf(index),
            })),
          ),
        },
        pictures: shown.map(({ picture }) => picture),
      };
    },
  }),
  tool({
    name: 'region_news',
    title: 'Birds of the region',
    description:
      "Which of the birds that eBird's users report in the region came here, and which are still missing.",
    scope: 'read',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: Type.Object({}),
    output: Type.Object({
      region: Type.Union([Type.String(), Type.Null()]),
      here: Type.Array(Type.String()),
      missing: Type.Array(Type.String()),
      only_here: Type.Array(Type.String()),
      message: text('What it says'),
    }),
    async run(_input, hub) {
      const found = await hub.get('/api/ui/region-comparison');
      const missing = (found.regionTop ?? []).filter(
        (name: string) => !(found.matchedSpecies ?? []).includes(name),
      );
      return {
        value: {
          region: found.regionCode ?? null,
          here: (found.matchedSpecies ?? []).slice(0, maxRows),
          missing: missing.slice(0, defaultRows),
          only_here: (found.onlyHere ?? []).slice(0, defaultRows),
          message: found.configured
            ? `${found.matchCount} of ${found.regionTopCount} common birds of the region came here.`
            : 'The hub has no key of eBird. The administrator can set one in Settings → eBird.',
        },
      };
    },
  }),
  tool({
    name: 'make_report',
    title: 'Make a report or an export',
    description:
      'A link to the PDF report of a month, or to its visits as CSV, JSON, eBird record, Camtrap DP, Darwin Core, or for ' +
      'iNaturalist or observation.org. A browser that has unlocked the hub downloads it.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'The month, YYYY-MM' }),
      format: Type.Optional(
        Type.Unsafe<(typeof reportFormats)[number]>({
          type: 'string',
          enum: reportFormats,
          default: 'pdf',
          description: 'What it is made as',
        }),
      ),
    }),
    output: Type.Object({ link: text('Where it is fetched') }),
    async run({ month, format = 'pdf' }, hub) {
      if (format === 'pdf')
        return linkTo(hub.link('/api/ui/report/pdf', { month }), `report of ${month}`, 'application/pdf');
      const days = await readDays(hub, { from: `${month}-01`, to: lastDayOf(month) });
      const type = typeOfExport[format] ?? 'application/zip';
      return linkTo(hub.link('/api/ui/timeline/export', { ...days, format }), `${format} of ${month}`, type);
    },
  }),
  tool({
    name: 'hub_health',
    title: 'How the hub is doing',
    description: 'What is wrong with the hub, in words, with what helps.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({}),
    output: Type.Object({
      is_well: Type.Boolean({ description: 'Whether nothing is wrong' }),
      problems: Type.Array(Type.Object({ what: text('What is wrong'), advice: text('What helps') })),
      detector_last_seen: Type.Union([Type.String(), Type.Null()]),
    }),
    async run(_input, hub) {
      const status = await hub.get('/api/ui/status');
      const problems = [
        ...Object.entries(advice)
          .filter(([part]) => isBad(status[part]))
          .map(([part, what]) => ({ what: `${part}: ${status[part]}`, advice: what })),
        ...(status.sources ?? [])
          .filter(({ state }: { state: string }) => isBad(state))
          .map((source: { name: string; state: string }) => ({
            what: `source ${source.name}: ${source.state}`,
            advice: 'Look at it on the page Sources, and test its connection there.',
          })),
      ];
      const seen = status.processor_last_seen;
      return {
        value: {
          is_well: problems.length === 0,
          problems,
          detector_last_seen: seen ? await hub.local(seen) : null,
        },
      };
    },
  }),
];

const advice: Readonly<Record<string, string>> = {
  processor:
    'No detector is heard from: see that it runs and reaches the hub (Settings → Welcome shows its address).',
  mqtt: 'The broker of MQTT cannot be reached: check Settings → MQTT.',
  esphome: 'The feeder cannot be reached: check Settings → Feeder.',
  storage: 'The disk is nearly full: lower the limits in Settings → Storage, or delete recordings.',
};

const isBad = (state: unknown) =>
  typeof state === 'string' &&
  ['error', 'offline', 'silent', 'failed', 'low', 'full', 'degraded', 'stale', 'unreachable'].includes(state);

interface TimelineItem {
  readonly id: number;
  readonly timeline_kind: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly max_simultaneous: number;
  readonly species: ListedSpecies;
  readonly cameras: readonly string[];
  readonly detections: readonly { id: number; video_id: number; confidence: number; reviewed: boolean }[];
}

interface ListedSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientific_name: string | null;
  readonly visits: number;
}

interface Doubtful {
  readonly id: number;
  readonly video_id: number;
  readonly species_name: string;
  readonly confidence: number;
  readonly start_time: string;
}

const toBird = ({ id: species_id, name, scientific_name }: Omit<ListedSpecies, 'visits'>) => ({
  species_id,
  name,
  scientific_name,
});

async function describeVisit(item: TimelineItem, hub: HubCalls) {
  const [first, ...others] = item.detections;
  const best = others.reduce((a, b) => (a && a.confidence >= b.confidence ? a : b), first);
  return {
    visit_id: item.id,
    species: toBird(item.species),
    start: await hub.local(item.start_time),
    end: await hub.local(item.end_time),
    birds: item.max_simultaneous,
    cameras: item.cameras,
    certainty: best?.confidence ?? 0,
    reviewed: item.detections.some(({ reviewed }) => reviewed),
    detection_id: best?.id ?? 0,
    video_id: best?.video_id ?? 0,
  };
}

interface Noteworthy {
  readonly species_id: number;
  readonly reason: string;
}

async function describeNoteworthy({ species_id, reason }: Noteworthy, hub: HubCalls) {
  const { species } = await hub.get(`/api/ui/species/${species_id}/summary`);
  return { species_id, name: species.name, reason };
}

function linkToRecording(hub: HubCalls, video: number, kind: string | null | undefined) {
  const mimeTypes: Readonly<Record<string, string>> = { audio: 'audio/*', image: 'image/*' };
  const mimeType = mimeTypes[kind ?? 'video'] ?? 'video/mp4';
  return { uri: hub.link(`/api/ui/videos/${video}/stream`), name: 'the recording', mimeType };
}

/** The window of a day or of days. @throws HubCallError */
async function readDays(
  hub: HubCalls,
  { date, from, to }: { date?: string | undefined; from?: string | undefined; to?: string | undefined },
) {
  if (from === undefined && to === undefined) return { date: date ?? localDay(await hub.zone(), Date.now()) };
  if (date !== undefined || from === undefined || to === undefined)
    throw new HubCallError('Name either `date`, or both `from` and `to`.');
  if (to < from) throw new HubCallError('`to` lies before `from`.');
  if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= maxDays)
    throw new HubCallError(`At most ${maxDays} days at once.`);
  const zone = await hub.zone();
  return { start_time: startOf(from, zone), end_time: startOf(nextDay(to), zone) };
}

/** The rows of a page and the cursor of the next one. @throws HubCallError */
function pageOf<T>(rows: readonly T[], count: number, page: string | undefined) {
  const start = page === undefined ? 0 : Number(/^from-(\d{1,9})$/.exec(page)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw new HubCallError('This cursor is not one of the hub.');
  const end = start + count;
  return { part: rows.slice(start, end), next: end < rows.length ? `from-${end}` : null };
}

const linkTo = (uri: string, name: string, mimeType: string): ToolOutput => ({
  value: { link: uri },
  links: [{ uri, name, mimeType }],
});

const lastDayOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

function startOf(date: string, zone: string): string {
  return new Date(startOfDay(zone, date)).toISOString();
}

/** A refusal of a part that the answer can do without. */
function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof HubCallError)) throw error;
  return undefined;
}
