import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { type HubTool, tool } from './tool.js';
import { findSpecies, ignoreRefused } from './tool-arguments.js';
import { id, number, speciesInput, text } from './tool-schemas.js';

const Done = Type.Object({ message: text('Human-readable result'), undo: text('How to undo the change') });

const writeHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const alertRules = '/api/ui/alert-rules';

const ruleNamePrefix = 'Watch for ';
/** Maximum length of the name of a rule. */
const maxRuleName = 80;

/** The used properties of an alert rule. */
interface AlertRule {
  readonly id: number;
  readonly name: string;
  readonly when: string;
  readonly species: readonly number[];
  readonly once_per: string | null;
  readonly summary: string;
}

/** The fields by which people limit a rule, with the values of a rule without such limits. */
const unlimited = {
  except_species: [],
  cameras: [],
  sources: [],
  min_confidence: 0,
  min_count: 1,
  hours_start: '',
  hours_end: '',
  weekdays: [],
  channels: [],
};

const isUnlimited = (rule: object) => isDeepStrictEqual({ ...rule, ...unlimited }, { ...rule });

/** The output of a call without effect, which must not offer an undo. */
const unchanged = (message: string) => ({ value: { message, undo: 'Nothing was changed.' } });

const undoHint = (detection: number) => `Call undo with detection_id ${detection}.`;

/** Tools that change reviews, alert rules and foods. */
export const writeTools: readonly HubTool[] = [
  tool({
    name: 'confirm',
    title: 'Confirm a detection',
    description: 'Confirms that the species of a detection is correct.',
    scope: 'review',
    annotations: writeHints,
    input: Type.Object({ detection_id: id('Id of the detection') }),
    output: Done,
    async run({ detection_id }, hub) {
      const { updated_count: count } = await hub.send('POST', `/api/ui/detections/${detection_id}/confirm`);
      if (!count) return unchanged(`Detection ${detection_id} was reviewed already.`);
      return { value: { message: `Detection ${detection_id} is confirmed.`, undo: undoHint(detection_id) } };
    },
  }),
  tool({
    name: 'correct',
    title: 'Correct a detection',
    description: 'Changes the species of a detection, or of its whole visit.',
    scope: 'review',
    annotations: writeHints,
    input: Type.Object({
      detection_id: id('Id of the detection'),
      species: speciesInput,
      whole_visit: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether to correct all detections of the visit' }),
      ),
    }),
    output: Done,
    async run({ detection_id, species, whole_visit = false }, hub) {
      const bird = await findSpecies(hub, species);
      const body = { species_id: bird.species_id, apply_scope: whole_visit ? 'visit' : 'single_track' };
      const { updated_count: count } = await hub.send('PATCH', `/api/ui/detections/${detection_id}`, body);
      if (!count) return unchanged(`It was "${bird.name}" already.`);
      const corrected = count === 1 ? '1 detection is' : `${count} detections are`;
      const message = `${corrected} now "${bird.name}".`;
      return { value: { message, undo: undoHint(detection_id) } };
    },
  }),
  tool({
    name: 'undo',
    title: 'Undo a review',
    description:
      'Reverts the last correction or confirmation of a detection. When called again, ' +
      'reverts the one before that.',
    scope: 'review',
    annotations: { ...writeHints, idempotentHint: false },
    input: Type.Object({ detection_id: id('Id of the detection') }),
    output: Done,
    async run({ detection_id }, hub) {
      await hub.send('POST', `/api/ui/detections/${detection_id}/revert`);
      const message = `Detection ${detection_id} is as it was before.`;
      return { value: { message, undo: 'Confirm or correct it again.' } };
    },
  }),
  tool({
    name: 'watch_for',
    title: 'Tell me of a species',
    description:
      'Creates an alert rule: from now on, the hub sends notifications of visits of a species, optionally ' +
      'at most once a day or a week. If the same rule already exists without further limits, it is enabled.',
    scope: 'admin',
    annotations: writeHints,
    input: Type.Object({
      species: speciesInput,
      once: Type.Optional(
        Type.Unsafe<'day' | 'week'>({
          type: 'string',
          enum: ['day', 'week'],
          description: 'Maximum frequency: one notification per day or week',
        }),
      ),
    }),
    output: Type.Object({
      rule_id: number('Id of the rule'),
      summary: text('Human-readable summary of the rule'),
      undo: text('How to undo the change'),
    }),
    async run({ species, once }, hub) {
      const bird = await findSpecies(hub, species);
      const rule = {
        name: [...`${ruleNamePrefix}${bird.name}`].slice(0, maxRuleName).join(''),
        when: 'any_visit',
        species: [bird.species_id],
        once_per: once ?? null,
      };
      const rules: AlertRule[] = await hub.get(alertRules);
      const similar = rules.filter(
        (one) =>
          one.name.startsWith(ruleNamePrefix) &&
          one.when === rule.when &&
          one.species.length === 1 &&
          one.once_per === rule.once_per &&
          isUnlimited(one),
      );
      // A rule may name a species that was merged since.
      const current = await Promise.all(
        similar.map((one) => findSpecies(hub, String(one.species[0])).catch(ignoreRefused)),
      );
      const equal = similar.find((_, index) => current[index]?.species_id === bird.species_id);
      const { id, summary }: AlertRule = equal
        ? await hub.send('PATCH', `${alertRules}/${equal.id}`, { enabled: true })
        : await hub.send('POST', alertRules, rule);
      return {
        value: { rule_id: id, summary, undo: 'Delete it in Settings → Notifications.' },
      };
    },
  }),
  tool({
    name: 'give_food',
    title: 'Give food',
    description:
      'Dispenses one portion of food from the feeder. The next portion is only ' +
      'possible after a waiting time.',
    scope: 'feeder',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: Type.Object({}),
    output: Type.Object({
      message: text('Human-readable result'),
      at: text('When the portion was dispensed, with UTC offset'),
    }),
    async run(_input, hub) {
      const { message, dispensed_at: at } = await hub.send('POST', '/api/ui/feed/dispense');
      return { value: { message, at: await hub.local(at) } };
    },
  }),
];
