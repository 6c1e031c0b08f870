import { daysBefore } from '@birdhub/shared/time';
import { Type } from 'typebox';
import { HubCallError, type HubCalls } from './hub-calls.js';
import { type HubTool, readOnlyHints, tool } from './tool.js';
import { ignoreRefused, pageOf, readDays, startOfPage, windowOf } from './tool-arguments.js';
import { cursor, day, id, nextCursor, number, orNull, text } from './tool-schemas.js';

const maxPictureBytes = 400_000;
const maxSoundBytes = 300_000;
const pictureWidth = 640;
const doubtfulWidth = 320;
/** Maximum detections that /unknowns lists. */
const maxDoubtful = 500;

/** Tools for pictures and recordings. */
export const mediaTools: readonly HubTool[] = [
  tool({
    name: 'show_picture',
    title: 'Show a picture',
    description:
      'Returns the best picture of a visit, a detection or a recording, and a link to the recording.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      visit_id: Type.Optional(id('Id of a visit, from who_came')),
      detection_id: Type.Optional(id('Id of a detection, from who_came or doubtful')),
      video_id: Type.Optional(id('Id of a recording')),
    }),
    output: Type.Object({ shown: text('What the picture shows'), page: text('URL of its page in the hub') }),
    async run({ visit_id, detection_id, video_id }, hub) {
      checkOne({ visit_id, detection_id, video_id });
      const visit = visit_id === undefined ? undefined : await hub.get(`/api/ui/visits/${visit_id}`);
      const given =
        detection_id === undefined ? undefined : await hub.get(`/api/ui/detections/${detection_id}`);
      const detection = detection_id ?? visit?.best?.detection_id;
      const recording = video_id ?? given?.video_id ?? visit?.best?.video_id;
      const path =
        detection === undefined
          ? `/api/ui/videos/${recording}/poster`
          : `/api/ui/detections/${detection}/crop`;
      const picture = await hub.media(path, maxPictureBytes, { width: pictureWidth });
      const name = given?.species_name ?? visit?.species.name;
      const what = name
        ? `${hub.nameOf(name)}, ${await hub.local((given ?? visit).start_time)}`
        : `Recording ${recording}`;
      const shown = picture ? what : `${what}: the picture is too large to be sent here`;
      return {
        value: { shown, page: hub.link(recording === undefined ? '/timeline' : `/videos/${recording}`) },
        pictures: picture ? [picture] : [],
        links: recording === undefined ? [] : [linkToRecording(hub, recording, (given ?? visit)?.media_kind)],
      };
    },
  }),
  tool({
    name: 'listen',
    title: 'Listen to a recording',
    description: 'Returns the sound of an audio recording of up to 300 KB, or else a link to the recording.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      video_id: Type.Optional(id('Id of the recording')),
      detection_id: Type.Optional(id('Id of a detection, from who_came or doubtful')),
      visit_id: Type.Optional(
        id('Id of a visit, from who_came; selects the recording in which its bird is heard best'),
      ),
    }),
    output: Type.Object({
      video_id: number('Id of the recording'),
      start: text('Start time with UTC offset'),
      birds: Type.Array(Type.String(), { description: 'Names of the birds that are seen or heard' }),
    }),
    async run({ video_id, detection_id, visit_id }, hub) {
      checkOne({ video_id, detection_id, visit_id });
      const recording =
        video_id ??
        (detection_id === undefined
          ? await recordingOfVisit(visit_id, hub)
          : (await hub.get(`/api/ui/detections/${detection_id}`)).video_id);
      const video = await hub.get(`/api/ui/videos/${recording}`);
      const isSound = video.media_kind === 'audio';
      const path = `/api/ui/videos/${recording}/stream`;
      const sound = isSound ? await hub.media(path, maxSoundBytes) : undefined;
      return {
        value: { video_id: recording, start: await hub.local(video.start_time), birds: birdsOf(video, hub) },
        sound,
        links: sound ? [] : [linkToRecording(hub, recording, video.media_kind)],
      };
    },
  }),
  tool({
    name: 'doubtful',
    title: 'Doubtful detections',
    description:
      'Lists detections that nobody has reviewed and of which the detector was not certain, newest first, ' +
      'each with its picture; by default those of the last seven days.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      date: Type.Optional(day('The day')),
      from: Type.Optional(day('First day; requires `to`')),
      to: Type.Optional(day('Last day; requires `from`')),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10, default: 5, description: 'Maximum number of detections' }),
      ),
      cursor,
    }),
    output: Type.Object({
      detections: Type.Array(
        Type.Object({
          detection_id: number('Id of the detection, for confirm and correct'),
          video_id: number('Id of the recording'),
          species_id: number('Id of the likely species'),
          proposed: text('Name of the likely species, as identified by the detector'),
          confidence: number('Confidence of the detector, 0 to 1'),
          at: text('Time of the detection with UTC offset'),
          reason: text('Why the detection is doubtful'),
          picture: orNull(
            Type.Number(),
            'Number of its picture among the pictures in this response, starting at ' +
              '1; null when there is none',
          ),
        }),
      ),
      next_cursor: nextCursor,
    }),
    async run({ date, from, to, limit: rows = 5, cursor: page }, hub) {
      const isGiven = date !== undefined || from !== undefined || to !== undefined;
      const { first, last } = await readDays(isGiven ? { date, from, to } : await lastWeek(hub), hub);
      const found = (await hub.get('/api/ui/unknowns', {
        ...(await windowOf(first, last, hub)),
        limit: Math.min(startOfPage(page) + rows + 1, maxDoubtful),
      })) as Doubtful[];
      const { part, next } = pageOf(found, rows, page);
      const pictures = await Promise.all(
        part.map(({ id: detection }) =>
          hub
            .media(`/api/ui/detections/${detection}/crop`, maxPictureBytes, { width: doubtfulWidth })
            .catch(ignoreRefused),
        ),
      );
      const shown = pictures.flatMap((picture, index) => (picture ? [{ picture, index }] : []));
      const numberOf = (index: number) => shown.findIndex((one) => one.index === index) + 1 || null;
      const detections = await Promise.all(
        part.map(async (one, index) => ({
          detection_id: one.id,
          video_id: one.video_id,
          species_id: one.species_id,
          proposed: hub.nameOf(one.species_name),
          confidence: one.confidence,
          at: await hub.local(one.start_time),
          reason: reasons[one.review_reason] ?? one.review_reason,
          picture: numberOf(index),
        })),
      );
      return { value: { detections, next_cursor: next }, pictures: shown.map(({ picture }) => picture) };
    },
  }),
];

const reasons: Readonly<Record<string, string>> = {
  low_confidence: 'the detector was not sure',
  generic_species: 'the detector named no species',
};

interface Doubtful {
  readonly id: number;
  readonly video_id: number;
  readonly species_id: number;
  readonly species_name: string;
  readonly confidence: number;
  readonly start_time: string;
  readonly review_reason: string;
}

/** @throws HubCallError unless exactly one id is given */
function checkOne(ids: Readonly<Record<string, number | undefined>>): void {
  if (Object.values(ids).filter((given) => given !== undefined).length !== 1)
    throw new HubCallError(`Give exactly one of ${Object.keys(ids).join(', ')}.`);
}

async function lastWeek(hub: HubCalls) {
  const today = await hub.today();
  return { from: daysBefore(today, 6), to: today };
}

async function recordingOfVisit(visit: number | undefined, hub: HubCalls): Promise<number> {
  const { heard, best } = await hub.get(`/api/ui/visits/${visit}`);
  return (heard ?? best).video_id;
}

/** Returns the distinct names of the species of a recording. */
export function birdsOf(video: { readonly species: readonly { species_name: string }[] }, hub: HubCalls) {
  return [...new Set(video.species.map(({ species_name }) => hub.nameOf(species_name)))];
}

function linkToRecording(hub: HubCalls, video: number, kind: string | null | undefined) {
  const mimeTypes: Readonly<Record<string, string>> = { audio: 'audio/*', image: 'image/*' };
  const mimeType = mimeTypes[kind ?? 'video'] ?? 'video/mp4';
  return { uri: hub.link(`/api/ui/videos/${video}/stream`), name: 'the recording', mimeType };
}
