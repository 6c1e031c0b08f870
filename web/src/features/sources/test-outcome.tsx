import { Button, Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconMinus, IconPlugConnected, IconX } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useSentences } from '../../api/sentences';
import { ProblemAlert } from '../../components/problem-alert';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './sources.module.css';
import type { TestResult } from './sources-queries';

/** Stages of the test, in order. */
const stages = ['address', 'login', 'version', 'permission', 'birds', 'clip'] as const;

interface TestOutcomeProps {
  readonly result: TestResult | undefined;
  readonly error: Error | null;
  readonly isTesting: boolean;
  /** Whether the form has changed since. */
  readonly isOutdated: boolean;
  readonly onTest: () => void;
  readonly onCancel: () => void;
}

/** Test of the form: a button, the stages, and a sample of the birds it found. */
export function TestOutcome({ result, error, isTesting, isOutdated, onTest, onCancel }: TestOutcomeProps) {
  const { t } = useTranslation('sources');
  const shown = isTesting ? undefined : result;
  const isTested = shown !== undefined || error !== null;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Button
          variant={shown?.ok === true && !isOutdated ? 'default' : 'filled'}
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          loading={isTesting}
          onClick={onTest}
        >
          {t(isTested ? 'test_again' : 'test')}
        </Button>
        {isTesting && (
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </Group>
      {!isTested && !isTesting && (
        <Text size="sm" c="dimmed">
          {t('test_hint')}
        </Text>
      )}
      <div role="status">
        {isTesting && <Text size="sm">{t('testing')}</Text>}
        {shown && <Verdict result={shown} isOutdated={isOutdated} />}
      </div>
      {error !== null && !isTesting && <ProblemAlert>{problemText(t, error)}</ProblemAlert>}
      {(shown || isTesting) && <Stages result={shown} />}
      {shown?.stages.some(({ stage, ok }) => stage === 'birds' && ok) && <Sample sample={shown.sample} />}
    </Stack>
  );
}

interface VerdictProps {
  readonly result: TestResult;
  readonly isOutdated: boolean;
}

function Verdict({ result, isOutdated }: VerdictProps) {
  const { t } = useTranslation('sources');
  const failed = result.stages.find(({ ok }) => !ok);
  return (
    <>
      <Text fw={600} {...(failed && { c: 'var(--mantine-color-error)' })}>
        {failed ? t('test_failed', { stage: t(`stage.${failed.stage}`) }) : t('test_passed')}
      </Text>
      {isOutdated && <Text size="sm">{t('test_outdated')}</Text>}
    </>
  );
}

const looks = {
  stage_ok: { color: 'moss', icon: IconCheck },
  stage_failed: { color: 'red', icon: IconX },
  stage_waiting: { color: 'gray', icon: IconMinus },
} as const;

/** All stages; those after a failed one were not tested. `result` is undefined while the test is running. */
function Stages({ result }: { readonly result: TestResult | undefined }) {
  const { t } = useTranslation('sources');
  const translate = useSentences('sources');
  return (
    <ol className={classes['stages']} data-done={result && true}>
      {stages.map((stage, index) => {
        const found = result?.stages.find((one) => one.stage === stage);
        const outcome = found === undefined ? 'stage_waiting' : found.ok ? 'stage_ok' : 'stage_failed';
        const { color, icon: Icon } = looks[outcome];
        return (
          <li key={stage} className={classes['stage']} style={{ '--place': index } as CSSProperties}>
            {result === undefined ? (
              <Loader size={26} type="dots" color="gray" aria-hidden />
            ) : (
              <ThemeIcon color={color} variant="light" radius="xl" size={26}>
                <Icon size={16} role="img" aria-label={t(outcome)} />
              </ThemeIcon>
            )}
            <div>
              <Text fw={600} size="sm" {...(found === undefined && { c: 'dimmed' })}>
                {t(`stage.${stage}`)}
              </Text>
              {found && <Text size="sm">{translate(found.sentences, found.detail)}</Text>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Sample of the latest birds upstream. */
function Sample({ sample }: Pick<TestResult, 'sample'>) {
  const { t } = useTranslation('sources');
  const nameOf = useSpeciesName();
  const { moment, percent } = useTimeFormat();
  if (sample.length === 0) return <Text size="sm">{t('sample_none')}</Text>;
  return (
    <section aria-labelledby="sample-title">
      <Title order={2} size="h5" id="sample-title" mb="xs">
        {t('sample')}
      </Title>
      <ul className={classes['sample']}>
        {sample.map(({ upstream_id: id, camera, start_time, species, has_media }) => (
          <li key={id}>
            <Text size="sm" fw={600}>
              {species
                .map(({ species_name: name, confidence }) => `${nameOf(name)} (${percent(confidence)})`)
                .join(', ')}
            </Text>
            <Text size="sm" c="dimmed">
              {[moment(start_time), camera, has_media ? undefined : t('sample_silent')]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
