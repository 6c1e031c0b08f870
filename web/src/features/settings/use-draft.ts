import { settingsSchema } from 'virtual:settings-schema';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { checkValue, fieldOf, isRelevant } from './setting-field';
import { type SettingGroup, type SettingPath, settingGroups } from './setting-groups';
import { refusalText, secretNames, valueProblemText } from './setting-text';
import { changesOf, type Draft, type SettingsTree, settingAt } from './setting-values';
import { useChangeSettings } from './settings-queries';

const problemWith = (path: SettingPath, value: unknown) => checkValue(fieldOf(settingsSchema, path), value);

interface DraftState {
  readonly draft: Draft;
  /** The values that were edited; the stored ones may change meanwhile. */
  readonly before: Draft;
  /** How often a field was reset. */
  readonly editions: Partial<Record<SettingPath, number>>;
}

/** Resets the fields of a group, except those whose value is no longer the stored one. */
function without(state: DraftState, stored: Draft, paths: readonly SettingPath[]): DraftState {
  const { draft, before, editions } = state;
  const isKept = (path: SettingPath) => path in draft && draft[path] !== stored[path];
  return {
    before: { ...before, ...stored },
    draft: Object.fromEntries(paths.filter(isKept).map((path) => [path, draft[path]])),
    editions: Object.fromEntries(
      paths.map((path) => [path, (editions[path] ?? 0) + (isKept(path) ? 0 : 1)] as const),
    ),
  };
}

/** Unsaved changes of a group with their problems. */
export function useDraft(group: SettingGroup, settings: SettingsTree) {
  const { t } = useTranslation('settings');
  const [{ draft, before, editions }, setState] = useState<DraftState>({
    draft: {},
    before: {},
    editions: {},
  });
  const change = useChangeSettings();
  const changes = changesOf(settings, draft);
  const refused = fieldProblems(change.error);
  const paths: readonly SettingPath[] = settingGroups[group];
  const valueAt = (path: SettingPath) => (path in draft ? draft[path] : settingAt(settings, path));
  const clearProblem = () => {
    // A reset would detach a running save from its result.
    if (change.isError) change.reset();
  };
  return {
    changes,
    /** Increases when a field is reset; part of its key. */
    editionOf: (path: SettingPath) => editions[path] ?? 0,
    error: change.error,
    isSaving: change.isPending,
    isRefusedAtField: paths.some((path) => refused[path] !== undefined),
    isValid: paths.every((path) => !(path in changes) || !problemWith(path, changes[path])),
    fields: paths
      .filter((path) => path in changes || isRelevant(path, valueAt))
      .map((path) => fieldOf(settingsSchema, path)),
    errorAt: (path: SettingPath): string | undefined => {
      if (!(path in changes)) return undefined;
      const problem = problemWith(path, changes[path]);
      if (problem) return valueProblemText(t, problem);
      const refusal = refused[path];
      return refusal && refusalText(t, path, refusal);
    },
    valueAt,
    set: (path: SettingPath, value: unknown) => {
      setState((state) => ({
        ...state,
        draft: { ...state.draft, [path]: value },
        before: path in state.draft ? state.before : { ...state.before, [path]: settingAt(settings, path) },
      }));
      clearProblem();
    },
    discard: () => {
      setState((state) => without(state, state.draft, paths));
      clearProblem();
    },
    save: () =>
      change.mutate(
        { changes, before },
        {
          onSuccess: ({ clearedSecrets, revokedTokens }) => {
            // Fields that were edited during the save stay.
            setState((state) => without(state, draft, paths));
            const effects = [
              ...(clearedSecrets.length
                ? [t('secrets_cleared', { names: secretNames(t, clearedSecrets) })]
                : []),
              ...(revokedTokens.length ? [t('tokens_revoked', { names: revokedTokens.join(', ') })] : []),
            ];
            for (const message of effects) notifications.show({ message, autoClose: false });
            if (!effects.length) notifications.show({ message: t('saved') });
          },
        },
      ),
  };
}

export type DraftOfGroup = ReturnType<typeof useDraft>;

/** Messages of a validation error by setting path. */
function fieldProblems(error: Error | null): Partial<Record<SettingPath, string>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.map(({ path, message }) => [path.split('/').slice(1, 3).join('.'), message]);
  return Object.fromEntries(found);
}
