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

/** Unsaved changes of a group with their problems. */
export function useDraft(group: SettingGroup, settings: SettingsTree) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState<Draft>({});
  const [edition, setEdition] = useState(0);
  const change = useChangeSettings(settings);
  const changes = changesOf(settings, draft);
  const refused = fieldProblems(change.error);
  const paths: readonly SettingPath[] = settingGroups[group];
  const valueAt = (path: SettingPath) => (path in draft ? draft[path] : settingAt(settings, path));
  const reset = () => {
    setDraft({});
    setEdition((before) => before + 1);
  };
  return {
    changes,
    /** Increases when the draft is reset; part of the fields' keys. */
    edition,
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
      setDraft((before) => ({ ...before, [path]: value }));
      change.reset();
    },
    discard: () => {
      reset();
      change.reset();
    },
    save: () =>
      change.mutate(changes, {
        onSuccess: ({ clearedSecrets }) => {
          reset();
          notifications.show(
            clearedSecrets.length
              ? { message: t('secrets_cleared', { names: secretNames(t, clearedSecrets) }), autoClose: false }
              : { message: t('saved') },
          );
        },
      }),
  };
}

export type DraftOfGroup = ReturnType<typeof useDraft>;

/** Messages of a validation error by setting path. */
function fieldProblems(error: Error | null): Partial<Record<SettingPath, string>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.map(({ path, message }) => [path.split('/').slice(1, 3).join('.'), message]);
  return Object.fromEntries(found);
}
