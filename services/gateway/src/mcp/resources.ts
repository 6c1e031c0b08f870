import { dayMs } from '@birdhub/shared/time';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { HubCallError, type HubCalls } from './hub-calls.js';
import { birdsOf } from './media-tools.js';
import { describeSpecies } from './species-tools.js';
import { describeVisit, summariseDay } from './visit-tools.js';

/** Callbacks of reads of resources. */
interface ResourceEvents {
  readonly onCall: (call: { readonly tool: string; readonly failed: boolean }) => void;
  readonly onDefect: (error: unknown) => void;
}

/** Maximum number of completions that the protocol allows in a response. */
const maxCompletions = 100;
/** Number of recent days among which a partial date is completed. */
const completedDays = 31;

/** Registers days, species, visits and recordings as resources. */
export function registerResources(
  server: McpServer,
  hub: HubCalls,
  { onCall, onDefect }: ResourceEvents,
): void {
  const resource = (
    kind: string,
    variable: string,
    description: string,
    read: (value: string) => Promise<object>,
    complete?: (prefix: string) => Promise<string[]>,
  ) =>
    server.registerResource(
      kind,
      new ResourceTemplate(`birdhub://${kind}/{${variable}}`, {
        list: undefined,
        ...(complete && { complete: { [variable]: complete } }),
      }),
      { description, mimeType: 'application/json' },
      async (uri, variables) => {
        const tool = `resource ${kind}`;
        try {
          const value = await read(String(variables[variable]));
          onCall({ tool, failed: false });
          return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }] };
        } catch (error) {
          onCall({ tool, failed: true });
          if (error instanceof HubCallError) throw new ResourceNotFoundError(uri.href, error.message);
          onDefect(error);
          throw new Error('The hub could not do this.');
        }
      },
    );
  resource(
    'day',
    'date',
    'A day with its visits, species, sunrise, sunset and temperatures',
    (date) => summariseDay(date, hub),
    (prefix) => completeDay(prefix, hub),
  );
  resource(
    'species',
    'id',
    'A species of the hub with its statistics',
    (id) => describeSpecies(wholeNumber(id), hub),
    (prefix) => completeSpecies(prefix, hub),
  );
  resource('visit', 'id', 'A visit', async (id) =>
    describeVisit(await hub.get(`/api/ui/visits/${wholeNumber(id)}`), hub),
  );
  resource('recording', 'id', 'A recording with the birds seen or heard in it', (id) =>
    readRecording(id, hub),
  );
}

async function readRecording(id: string, hub: HubCalls) {
  const video = await hub.get(`/api/ui/videos/${wholeNumber(id)}`);
  return {
    video_id: video.id,
    camera: video.camera_id,
    kind: video.media_kind,
    start: await hub.local(video.start_time),
    end: await hub.local(video.end_time),
    birds: birdsOf(video, hub),
    detections: video.species.map((one: Record<string, unknown>) => ({
      detection_id: one['id'],
      species_id: one['species_id'],
      name: hub.nameOf(String(one['species_name'])),
      confidence: one['confidence'],
      source: one['source'],
      reviewed: one['reviewed'],
    })),
    note: video.note,
    page: hub.link(`/videos/${video.id}`),
  };
}

async function completeDay(prefix: string, hub: HubCalls): Promise<string[]> {
  const today = Date.parse(await hub.today());
  const days = Array.from({ length: completedDays }, (_, ago) => new Date(today - ago * dayMs));
  return days.map((date) => date.toISOString().slice(0, 10)).filter((date) => date.startsWith(prefix));
}

async function completeSpecies(prefix: string, hub: HubCalls): Promise<string[]> {
  const observed = (await hub.get('/api/ui/species/observed')) as { id: number; visits: number }[];
  return observed
    .sort((a, b) => b.visits - a.visits)
    .map(({ id }) => String(id))
    .filter((id) => id.startsWith(prefix))
    .slice(0, maxCompletions);
}

/** Parses the id of a resource. @throws HubCallError when it is not an integer */
function wholeNumber(id: string): string {
  if (!/^\d{1,9}$/.test(id)) throw new HubCallError(`id: must be a whole number, not ${id}`);
  return id;
}

/** Registers the prompts, which contain the current day, as assistants often do not know it. */
export function registerPrompts(server: McpServer, hub: HubCalls): void {
  const prompt = (name: string, title: string, description: string, text: string) =>
    server.registerPrompt(name, { title, description }, async () => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `${text}\nToday is ${await hub.today()} in the zone of the hub, ${await hub.zone()}.`,
          },
        },
      ],
    }));
  prompt(
    'weekly_digest',
    'Weekly digest',
    'The birds of the last seven days, what was new or rare, and a comparison with the week before',
    'Write a short digest of the last seven days at my bird feeder: who came how often, what was new or rare, how it compares ' +
      'with the week before, and the best picture. Use day_summary, compare_periods, who_came and show_picture.',
  );
  prompt(
    'explain_today',
    'Explain today',
    'The birds of today, when it was busiest, and what was unusual or doubtful',
    'Explain what happened at my bird feeder today: who came, when it was busiest, what was unusual for the season, and ' +
      'which detections are doubtful. Use day_summary, who_came, species_story and doubtful.',
  );
}
