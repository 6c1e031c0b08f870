import {
  Autocomplete,
  Button,
  Collapse,
  Group,
  NumberInput,
  PasswordInput,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import { type FormField, hasField, type SourceDraft, toAddress } from './source-form';
import { type SourceKind, sourceKinds } from './source-kinds';
import classes from './sources.module.css';

interface SourceFieldsProps {
  readonly kind: SourceKind;
  readonly draft: SourceDraft;
  /** Whether a valid password is stored. */
  readonly hasPassword: boolean;
  /** Whether the stored password belongs to another address. */
  readonly isPasswordLost: boolean;
  readonly problems: ReadonlyMap<FormField, string>;
  readonly onChange: (part: Partial<SourceDraft>) => void;
}

const order = ['label', 'input', 'description', 'error'] as const;
const maxChoices = 20;

/** The fields of a kind; less common ones are collapsed. */
export function SourceFields(props: SourceFieldsProps) {
  const { kind, draft, problems, onChange } = props;
  const { t } = useTranslation('sources');
  const { url, path, login, timezone } = sourceKinds[kind];
  const text = (field: 'name' | 'url' | 'path' | 'username') => ({
    name: field,
    label: t(`field.${field}`),
    value: draft[field],
    error: problems.get(field),
    inputWrapperOrder: [...order],
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  });
  return (
    <>
      {path && (
        <TextInput
          {...text('path')}
          description={t(`field.path.${kind}` as 'field.path.birdnet-pi')}
          placeholder={path.placeholder}
          maxLength={4096}
          required
          classNames={{ input: classes['code'] ?? '' }}
          onChange={({ currentTarget }) => onChange({ path: currentTarget.value })}
        />
      )}
      {url && (
        <TextInput
          {...text('url')}
          description={t(`field.url.${kind}`)}
          placeholder={url.placeholder}
          inputMode="url"
          maxLength={2048}
          required={url.isRequired}
          onBlur={() => onChange({ url: toAddress(draft.url) })}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      )}
      {timezone && (
        <Autocomplete
          name="timezone"
          label={t('field.timezone')}
          description={t('field.timezone.help')}
          inputWrapperOrder={[...order]}
          data={Intl.supportedValuesOf('timeZone')}
          limit={maxChoices}
          required
          value={draft.timezone}
          error={problems.get('timezone')}
          comboboxProps={{ withinPortal: false }}
          withScrollArea={false}
          styles={{ options: { maxHeight: '14rem', overflowY: 'auto' } }}
          onChange={(zone) => onChange({ timezone: zone })}
        />
      )}
      {login && (
        <div>
          <div className={classes['pair']}>
            <TextInput
              {...text('username')}
              placeholder={login.username}
              maxLength={256}
              onChange={({ currentTarget }) => onChange({ username: currentTarget.value })}
            />
            <PasswordField {...props} />
          </div>
          <Text size="xs" c="dimmed" mt={4}>
            {t('field.login.help')}
          </Text>
        </div>
      )}
      <TextInput
        {...text('name')}
        description={t('field.name.help')}
        maxLength={64}
        required
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <MoreOptions {...props} />
    </>
  );
}

/** A password that is never shown: keep, replace or remove. */
function PasswordField({ draft, hasPassword, isPasswordLost, problems, onChange }: SourceFieldsProps) {
  const { t } = useTranslation('sources');
  const isKept = hasPassword && draft.password === undefined;
  const willBeRemoved = hasPassword && draft.password === '';
  return (
    <div>
      <PasswordInput
        name="password"
        label={t('field.password')}
        value={draft.password ?? ''}
        error={problems.get('password')}
        autoComplete="new-password"
        maxLength={4096}
        onChange={({ currentTarget: { value } }) =>
          // A cleared field keeps the stored password.
          onChange({ password: value === '' && hasPassword ? undefined : value })
        }
      />
      {isPasswordLost && (
        <Text size="sm" mt={4} c="var(--mantine-color-error)" role="status">
          {t('password_again')}
        </Text>
      )}
      {(isKept || willBeRemoved) && (
        <Group gap="xs" mt={4}>
          <Text size="sm" c="dimmed" role="status">
            {t(willBeRemoved ? 'password_will_go' : 'password_stored')}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            color={willBeRemoved ? 'moss' : 'red'}
            aria-label={`${t(willBeRemoved ? 'password_keep' : 'password_remove')}: ${t('field.password')}`}
            onClick={() => onChange({ password: willBeRemoved ? undefined : '' })}
          >
            {t(willBeRemoved ? 'password_keep' : 'password_remove')}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** Less common options. */
function MoreOptions(props: SourceFieldsProps) {
  const { kind, draft, problems, onChange } = props;
  const { t } = useTranslation('sources');
  const { percentSuffix } = useTimeFormat();
  const id = useId();
  const isGiven = draft.mqtt_url !== '' || draft.min_confidence !== undefined || draft.write_back;
  const fields = ['mqtt_url', 'mqtt_topic_prefix', 'labels', 'min_confidence', 'write_back'] as const;
  const [isAsked, setIsAsked] = useState(isGiven);
  const isOpen = isAsked || fields.some((field) => problems.has(field));
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-md"
        ml={-8}
        aria-expanded={isOpen}
        aria-controls={id}
        rightSection={
          <IconChevronDown
            size={18}
            aria-hidden
            style={{ transform: isOpen ? 'rotate(180deg)' : undefined }}
          />
        }
        onClick={() => setIsAsked(!isOpen)}
      >
        {t('more_options')}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="md" mt="sm">
          <MqttFields {...props} />
          <LabelsField {...props} />
          <NumberInput
            name="min_confidence"
            label={t('field.min_confidence')}
            description={t('field.min_confidence.help')}
            inputWrapperOrder={[...order]}
            min={0}
            max={100}
            allowDecimal={false}
            suffix={percentSuffix}
            hideControls
            styles={{ wrapper: { maxWidth: '14rem' } }}
            value={draft.min_confidence ?? ''}
            error={problems.get('min_confidence')}
            onChange={(value) => onChange({ min_confidence: typeof value === 'number' ? value : undefined })}
          />
          {hasField(kind, 'write_back') && (
            <Switch
              name="write_back"
              label={t('field.write_back')}
              description={t('field.write_back.help')}
              checked={draft.write_back}
              error={problems.get('write_back')}
              onChange={({ currentTarget }) => onChange({ write_back: currentTarget.checked })}
            />
          )}
        </Stack>
      </Collapse>
    </div>
  );
}

/** Broker and topic of a kind that can be read over MQTT. */
function MqttFields({ kind, draft, problems, onChange }: SourceFieldsProps) {
  const { t } = useTranslation('sources');
  const { mqttTopic } = sourceKinds[kind];
  if (mqttTopic === undefined) return null;
  return (
    <div className={classes['pair']}>
      <TextInput
        name="mqtt_url"
        label={t('field.mqtt_url')}
        description={t('field.mqtt_url.help')}
        placeholder="mqtt://192.168.1.5:1883"
        inputWrapperOrder={[...order]}
        value={draft.mqtt_url}
        error={problems.get('mqtt_url')}
        maxLength={2048}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        onBlur={() => onChange({ mqtt_url: toAddress(draft.mqtt_url, 'mqtt') })}
        onChange={({ currentTarget }) => onChange({ mqtt_url: currentTarget.value })}
      />
      <TextInput
        name="mqtt_topic_prefix"
        label={t('field.mqtt_topic_prefix')}
        description={t('field.mqtt_topic_prefix.help')}
        placeholder={mqttTopic}
        inputWrapperOrder={[...order]}
        value={draft.mqtt_topic_prefix}
        error={problems.get('mqtt_topic_prefix')}
        maxLength={256}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ mqtt_topic_prefix: currentTarget.value })}
      />
    </div>
  );
}

/** Labels of a kind that also detects other things than birds. */
function LabelsField({ kind, draft, problems, onChange }: SourceFieldsProps) {
  const { t } = useTranslation('sources');
  const { suggestedLabels } = sourceKinds[kind];
  if (suggestedLabels === undefined) return null;
  return (
    <TagsInput
      name="labels"
      label={t(`field.labels.${kind}` as 'field.labels.frigate')}
      description={t(`field.labels.${kind}.help` as 'field.labels.frigate.help')}
      inputWrapperOrder={[...order]}
      data={[...suggestedLabels]}
      value={[...draft.labels]}
      error={problems.get('labels')}
      maxTags={50}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      onChange={(labels) => onChange({ labels })}
    />
  );
}
