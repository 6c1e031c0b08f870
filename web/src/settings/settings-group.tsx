import { settingsSchema } from 'virtual:settings-schema';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../states/problem-text';
import { checkValue } from './check-value';
import { fieldProblems } from './field-problems';
import { fieldOf } from './setting-field';
import { type SettingGroup, type SettingPath, settingGroups } from './setting-groups';
import { SettingInput } from './setting-input';
import { objectionText, settingText } from './setting-text';
import { changesOf, type Draft, type SettingsTree, settingAt } from './setting-values';
import { useLeaveWarning } from './use-leave-warning';
import { useChangeSettings } from './use-settings';

interface SettingsGroupProps {
  readonly group: SettingGroup;
  readonly settings: SettingsTree;
  /** What belongs to the group beside its settings. */
  readonly children: (hasChanges: boolean) => ReactNode;
}

const fieldsOf = (group: SettingGroup) => settingGroups[group].map((path) => fieldOf(settingsSchema, path));

/** What is being changed in a group, and what is against storing it. */
function useDraft(group: SettingGroup, settings: SettingsTree) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState<Draft>({});
  const change = useChangeSettings(settings);
  const changes = changesOf(settings, draft);
  const refused = fieldProblems(change.error);
  const errorAt = (path: SettingPath): string | undefined => {
    if (!(path in changes)) return undefined;
    const objection = checkValue(fieldOf(settingsSchema, path), changes[path]);
    return objection ? objectionText(t, objection) : refused[path];
  };
  const paths: readonly SettingPath[] = settingGroups[group];
  return {
    change,
    count: Object.keys(changes).length,
    errorAt,
    isStorable: paths.every(
      (path) => !(path in changes) || !checkValue(fieldOf(settingsSchema, path), changes[path]),
    ),
    valueAt: (path: SettingPath) => (path in draft ? draft[path] : settingAt(settings, path)),
    set: (path: SettingPath, value: unknown) => setDraft((before) => ({ ...before, [path]: value })),
    discard: () => {
      setDraft({});
      change.reset();
    },
    save: async () => {
      await change.mutateAsync(changes);
      setDraft({});
      notifications.show({ message: t('saved') });
    },
  };
}

/** One group of settings: each with its label, help and what is against its value, stored together. */
export function SettingsGroup({ group, settings, children }: SettingsGroupProps) {
  const { t } = useTranslation('settings');
  const draft = useDraft(group, settings);
  useLeaveWarning(draft.count > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What is against it stands at its fields and below them.
    void draft.save().catch(() => undefined);
  };
  return (
    <Card
      component="section"
      id={group}
      aria-labelledby={`${group}-title`}
      withBorder
      padding="lg"
      bg="var(--card-background)"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <Title order={2} size="h4" id={`${group}-title`}>
            {t(`group.${group}`)}
          </Title>
          {fieldsOf(group).map((field) => (
            <SettingInput
              key={field.path}
              field={field}
              value={draft.valueAt(field.path)}
              onChange={(value) => draft.set(field.path, value)}
              label={settingText(t, field.path, 'label')}
              description={settingText(t, field.path, 'help')}
              error={draft.errorAt(field.path)}
            />
          ))}
          {draft.change.error && (
            <Text c="red" role="alert">
              {problemText(t, draft.change.error)}
            </Text>
          )}
          {draft.count > 0 && (
            <Group>
              <Button type="submit" loading={draft.change.isPending} disabled={!draft.isStorable}>
                {t('save')}
              </Button>
              <Button variant="subtle" onClick={draft.discard}>
                {t('discard')}
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {t('unsaved', { count: draft.count })}
              </Text>
            </Group>
          )}
        </Stack>
      </form>
      {children(draft.count > 0)}
    </Card>
  );
}
