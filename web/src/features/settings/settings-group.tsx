import { Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FeederTest } from './feeder-test';
import { PasswordNote } from './password-note';
import { SaveBar } from './save-bar';
import type { SettingGroup } from './setting-groups';
import { SettingInput } from './setting-input';
import { settingText } from './setting-text';
import { type SettingsTree, settingAt } from './setting-values';
import { type DraftOfGroup, useDraft } from './use-draft';
import { useLeaveWarning } from './use-leave-warning';

interface SettingsGroupProps {
  readonly group: SettingGroup;
  readonly settings: SettingsTree;
}

type Beside = (settings: SettingsTree, draft: DraftOfGroup) => ReactNode;

const besides: Partial<Record<SettingGroup, Beside>> = {
  access: (_, { changes }) => <PasswordNote password={changes['general.settings_password']} />,
  feeder: (settings, { changes }) => (
    <FeederTest source={settingAt(settings, 'feed.source')} hasChanges={Object.keys(changes).length > 0} />
  ),
};

/** One group of settings: each with its label, help and what is against its value, stored together. */
export function SettingsGroup({ group, settings }: SettingsGroupProps) {
  const { t } = useTranslation('settings');
  const draft = useDraft(group, settings);
  useLeaveWarning(Object.keys(draft.changes).length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.isStorable) draft.save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {draft.fields.map((field) => (
          <SettingInput
            key={`${field.path} ${draft.edition}`}
            field={field}
            stored={settingAt(settings, field.path)}
            value={draft.valueAt(field.path)}
            onChange={(value) => draft.set(field.path, value)}
            shown={{
              label: settingText(t, field.path, 'label'),
              description: settingText(t, field.path, 'help'),
              error: draft.errorAt(field.path),
            }}
          />
        ))}
        {besides[group]?.(settings, draft)}
        <SaveBar draft={draft} />
      </Stack>
    </form>
  );
}
