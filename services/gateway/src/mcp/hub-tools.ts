import { isMonth } from '@birdhub/shared/time';
import { Type } from 'typebox';
import { HubCallError } from './hub-calls.js';
import { type HubTool, readOnlyHints, type ToolOutput, tool } from './tool.js';
import { windowOf } from './tool-arguments.js';
import { orNull, text } from './tool-schemas.js';

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
/** The content types of exports that are not archives. */
const typeOfExport: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ebird: 'text/csv',
};

/** Tools for reports and the status of the hub. */
export const hubTools: readonly HubTool[] = [
  tool({
    name: 'make_report',
    title: 'Make a report or an export',
    description:
      'Returns a link to the PDF report of a month, or to its visits as CSV, JSON, eBird record, ' +
      'Camtrap DP, Darwin Core, or for iNaturalist or observation.org. A browser that has ' +
      'unlocked the hub can download it.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      month: Type.String({ minLength: 7, maxLength: 7, description: 'The month, YYYY-MM' }),
      format: Type.Optional(
        Type.Unsafe<(typeof reportFormats)[number]>({
          type: 'string',
          enum: reportFormats,
          default: 'pdf',
          description: 'Format of the report or export',
        }),
      ),
    }),
    output: Type.Object({ link: text('Download URL') }),
    async run({ month, format = 'pdf' }, hub) {
      if (!isMonth(month)) throw new HubCallError(`month: there is no month ${month}; it is written YYYY-MM`);
      if (format === 'pdf')
        return linkTo(
          hub.link('/api/ui/report/pdf', { month, language: hub.language }),
          `report of ${month}`,
          'application/pdf',
        );
      const window = await windowOf(`${month}-01`, lastDayOf(month), hub);
      const type = typeOfExport[format] ?? 'application/zip';
      return linkTo(
        hub.link('/api/ui/timeline/export', { ...window, format }),
        `${format} of ${month}`,
        type,
      );
    },
  }),
  tool({
    name: 'hub_health',
    title: 'How the hub is doing',
    description: 'Returns the current problems of the hub as text, with advice on how to solve them.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({}),
    output: Type.Object({
      is_well: Type.Boolean({ description: 'Whether there are no problems' }),
      problems: Type.Array(
        Type.Object({ what: text('Description of the problem'), advice: text('How to solve the problem') }),
      ),
      detector_last_seen: orNull(
        Type.String(),
        'When a detector last reported, with UTC offset; null when none has ever reported',
      ),
    }),
    async run(_input, hub) {
      const status = await hub.get('/api/ui/status');
      const problems = [
        ...Object.entries(components).flatMap(([part, problem]) =>
          status[part] === 'error' ? [problem] : [],
        ),
        ...(status.mqtt_posts?.state === 'error' ? [mqttPosts] : []),
        ...(status.processor_restart_pending ? [restart] : []),
        ...(status.sources as { name: string; state: string }[]).flatMap(({ name, state }) => {
          const what = sourceProblems[state];
          return what ? [{ what: `The source "${name}" ${what}.`, advice: sourceAdvice }] : [];
        }),
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

interface Problem {
  readonly what: string;
  readonly advice: string;
}

const brokerAdvice = 'Check Settings → MQTT and Home Assistant.';

/** Messages for components of the status that are `error`. */
const components: Readonly<Record<string, Problem>> = {
  processor: {
    what: 'No detector has reported for five minutes.',
    advice:
      'Check that it is running and can reach the hub. ' +
      'Its address is on the Welcome page, tokens under Settings → Access and passwords.',
  },
  yolo: {
    what: 'The detector has not analysed pictures for five minutes.',
    advice: 'Check the log of the detector.',
  },
  video: {
    what: 'No camera picture has arrived for five minutes.',
    advice: "Check that the camera is on and that its address in the detector's configuration is right.",
  },
  mqtt: { what: 'The MQTT broker cannot be reached.', advice: brokerAdvice },
  esphome: { what: 'The feeder does not respond.', advice: 'Check Settings → Feeder.' },
  storage: {
    what: 'The disk is full, and nothing more may be deleted automatically. New recordings are refused.',
    advice: 'Delete recordings on the System page or add storage.',
  },
};

const mqttPosts: Problem = {
  what: 'The hub is not connected to the broker from which it receives recordings.',
  advice: brokerAdvice,
};

const restart: Problem = {
  what: 'The detector was asked to restart and has not done so.',
  advice: 'If this persists, restart it manually.',
};

const sourceProblems: Readonly<Record<string, string>> = {
  error: 'cannot be read',
  silent: 'is silent',
  behind: 'is behind',
};

const sourceAdvice = 'Test its connection on the Sources page.';

const linkTo = (uri: string, name: string, mimeType: string): ToolOutput => ({
  value: { link: uri },
  links: [{ uri, name, mimeType }],
});

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
