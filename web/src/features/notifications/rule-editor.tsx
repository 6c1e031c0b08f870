import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import { ProblemAlert } from '../../components/problem-alert';
import { useDraftForm } from '../../lib/use-draft-form';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { useIsPhone } from '../../lib/use-media';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { draftOf, fieldOfProblem, newRule, type Rule, type RuleDraft } from './rule';
import { ConditionFields, TriggerFields } from './rule-conditions';
import { ChannelChips, TemplateField } from './rule-message';
import { RulePreview } from './rule-preview';
import { useStoreRule } from './rules-queries';

interface RuleEditorProps {
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined;
  readonly onClose: () => void;
}

/** Properties of the parts of the form. */
export interface RulePartProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  /** Returns why the hub rejected a field; undefined if it did not. */
  readonly problemOf: (field: keyof RuleDraft) => string | undefined;
}

/** Dialog to add or change a rule, with a preview of what it would have sent. */
export function RuleEditor({ rule, onClose }: RuleEditorProps) {
  const { t } = useTranslation('notifications');
  useOpenerFocus();
  const isPhone = useIsPhone();
  const { draft, change, hasChanges } = useDraftForm(() => (rule ? draftOf(rule) : newRule));
  const close = useCloseWarning(hasChanges, onClose);
  const store = useStoreRule();
  const name = draft.name.trim() || t(`rule.called.${draft.when}`);
  const problems = problemsOf(store.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate(
      { ...draft, name, id: rule?.id },
      {
        onSuccess: () => {
          notifications.show({ message: t('rules.saved') });
          onClose();
        },
      },
    );
  };
  const part = { draft, onChange: change, problemOf: (field: keyof RuleDraft) => problems.get(field) };
  return (
    <Modal
      opened
      onClose={close}
      title={rule ? t('rules.edit_title', { name: rule.name }) : t('rules.create')}
      closeButtonProps={{ 'aria-label': t('rules.close') }}
      closeOnClickOutside={false}
      fullScreen={isPhone}
      size={720}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <TriggerFields {...part} />
          <ConditionFields {...part} />
          <ChannelChips {...part} />
          <TemplateField {...part} />
          <TextInput
            label={t('rule.name')}
            placeholder={t(`rule.called.${draft.when}`)}
            maxLength={80}
            autoComplete="off"
            value={draft.name}
            error={problems.get('name')}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <RulePreview draft={draft} />
          {store.error !== null && (
            <ProblemAlert>
              {problems.size > 0 ? t('rules.mistakes') : problemText(t, store.error)}
            </ProblemAlert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('rules.cancel')}
            </Button>
            <Button type="submit" loading={store.isPending}>
              {t('rules.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Returns the hub's message for each rejected field. */
function problemsOf(error: Error | null): ReadonlyMap<string, string> {
  const details = error instanceof Problem ? error.details : [];
  return new Map(details.map(({ path, message }) => [fieldOfProblem(path), message]));
}
