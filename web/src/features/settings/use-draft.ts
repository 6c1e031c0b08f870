import { settingsSchema } from 'virtual:settings-schema';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkValue } from './check-value';
import { fieldProblems } from './field-problems';
import { isRelevant } from './relevant-settings';
import { fieldOf } from './setting-field';
import { type SettingGroup, type SettingPath, settingGroups } from './setting-groups';
import { objectionText, refusalText, secretNames } from './setting-text';
import { changesOf, type Draft, type SettingsTree, settingAt } from './setting-values';
import { useChangeSettings } from './use-settings';

const objectionTo = (path: SettingPath, value: unknown) => checkValue(fieldOf(settingsSchema, path), value);

/** What is being changed in a group, and what is against storing it. */
export function useDraft(group: SettingGroup, settings: SettingsTree) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState<Draft>({});
  const [edition, setEdition] = useState(0);
  const change = useChangeSettings(settings);
  const changes = changesOf(settings, draft);
  const refused = fieldProblems(change.error);
  const paths: readonly SettingPath[] = settingGroups[group];
  const valueAt = (path: SettingPath) => (path in draft ? draft[path] : settingAt(settings, path));
  const startAnew = () => {
    setDraft({});
    setEdition((before) => before + 1);
  };
  return {
    changes,
    /** Grows with each new beginning, at which fields forget what was typed. */
    edition,
    error: change.error,
    isSaving: change.isPending,
    isRefusedAtField: paths.some((path) => refused[path] !== undefined),
    isStorable: paths.every((path) => !(path in changes) || !objectionTo(path, changes[path])),
    fields: paths
      .filter((path) => path in changes || isRelevant(path, valueAt))
      .map((path) => fieldOf(settingsSchema, path)),
    errorAt: (path: SettingPath): string | undefined => {
      if (!(path in changes)) return undefined;
      const objection = objectionTo(path, changes[path]);
      if (objection) return objectionText(t, objection);
      const refusal = refused[path];
      return refusal && refusalText(t, path, refusal);
    },
    valueAt,
    set: (path: SettingPath, value: unknown) => {
      setDraft((before) => ({ ...before, [path]: value }));
      change.reset();
    },
    discard: () => {
      startAnew();
      change.reset();
    },
    save: () =>
      change.mutate(changes, {
        onSuccess: ({ clearedSecrets }) => {
          startAnew();
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
