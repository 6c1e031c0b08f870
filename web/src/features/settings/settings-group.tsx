import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { Disclosure } from '../../components/disclosure';
import { useLeaveWarning } from '../../lib/use-leave-warning';
import { DigestPreview } from '../notifications/digest-preview';
import { dispenseProblem } from '../today/feeder';
import { advancedSettings, type SettingGroup, type SettingPath } from './setting-groups';
import { SettingInput } from './setting-input';
import { settingText } from './setting-text';
import { type SettingsTree, settingAt } from './setting-values';
import classes from './settings-group.module.css';
import { type DraftOfGroup, useDraft } from './use-draft';

interface SettingsGroupProps {
  readonly group: SettingGroup;
  readonly settings: SettingsTree;
}

type Extra = (settings: SettingsTree, draft: DraftOfGroup) => ReactNode;

const extras: Partial<Record<SettingGroup, Extra>> = {
  access: (_, { changes }) => <PasswordNote password={changes['general.settings_password']} />,
  digest: (settings, { changes }) => (
    <DigestPreview frequency={changes['digest.frequency'] ?? settingAt(settings, 'digest.frequency')} />
  ),
  feeder: (settings, { changes }) => (
    <FeederTest source={settingAt(settings, 'feed.source')} hasChanges={Object.keys(changes).length > 0} />
  ),
};

/** Form of a group of settings. */
export function SettingsGroup({ group, settings }: SettingsGroupProps) {
  const draft = useDraft(group, settings);
  useLeaveWarning(Object.keys(draft.changes).length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.isValid) draft.save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Fields draft={draft} settings={settings} isShown={(path) => !advancedSettings.has(path)} />
        <AdvancedFields draft={draft} settings={settings} />
        {extras[group]?.(settings, draft)}
        <SaveBar draft={draft} />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly draft: DraftOfGroup;
  readonly settings: SettingsTree;
}

function Fields({
  draft,
  settings,
  isShown,
}: FieldsProps & { readonly isShown: (path: SettingPath) => boolean }) {
  const { t } = useTranslation('settings');
  return draft.fields
    .filter(({ path }) => isShown(path))
    .map((field) => (
      <SettingInput
        key={`${field.path} ${draft.editionOf(field.path)}`}
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
    ));
}

/** Less common settings, collapsed until they are opened or rejected. */
function AdvancedFields({ draft, settings }: FieldsProps) {
  const { t } = useTranslation('settings');
  const paths = draft.fields.map(({ path }) => path).filter((path) => advancedSettings.has(path));
  if (paths.length === 0) return null;
  const hasError = paths.some((path) => draft.errorAt(path) !== undefined);
  return (
    <Disclosure label={t('advanced')} isRevealed={hasError}>
      <Stack gap="lg">
        <Fields draft={draft} settings={settings} isShown={(path) => advancedSettings.has(path)} />
      </Stack>
    </Disclosure>
  );
}

/** Save and discard buttons, shown while there are changes. */
function SaveBar({ draft }: { readonly draft: DraftOfGroup }) {
  const { t } = useTranslation('settings');
  const count = Object.keys(draft.changes).length;
  if (count === 0) return null;
  return (
    <div className={classes['bar']}>
      <Button type="submit" loading={draft.isSaving} disabled={!draft.isValid}>
        {t('save')}
      </Button>
      <Button variant="subtle" onClick={draft.discard}>
        {t('discard')}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {t('unsaved', { count })}
      </Text>
      {draft.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" w="100%">
          {draft.isRefusedAtField ? t('see_fields') : problemText(t, draft.error)}
        </Text>
      )}
    </div>
  );
}

/** Effect of a changed admin password; an empty one removes it. */
function PasswordNote({ password }: { readonly password: unknown }) {
  const { t } = useTranslation('settings');
  if (password === undefined) return null;
  return (
    <Alert role="status" color={password === '' ? 'yellow' : 'moss'} variant="light">
      {t(password === '' ? 'password_will_open' : 'password_will_lock')}
    </Alert>
  );
}

interface FeederTestProps {
  /** Stored `feed.source`. */
  readonly source: unknown;
  readonly hasChanges: boolean;
}

/** Dispenses a portion to test the settings. */
function FeederTest({ source, hasChanges }: FeederTestProps) {
  const { t } = useTranslation('settings');
  const { t: tToday } = useTranslation('today');
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/feed/dispense')),
    onSuccess: () => client.invalidateQueries({ queryKey: ['feed'] }),
  });
  const hasFeeder = source === 'mqtt' || source === 'esphome';
  const outcome = () => {
    if (hasChanges) return t('feeder_save_first');
    if (!hasFeeder) return t('feeder_none');
    if (test.error) return dispenseProblem(tToday, test.error);
    return test.isSuccess && t('feeder_works');
  };
  return (
    <Group gap="sm">
      <Button
        variant="light"
        loading={test.isPending}
        disabled={hasChanges || !hasFeeder}
        onClick={() => test.mutate()}
      >
        {t('feeder_test')}
      </Button>
      <Text size="sm" role="status" c={test.error ? 'var(--mantine-color-error)' : 'dimmed'}>
        {outcome()}
      </Text>
    </Group>
  );
}
