import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { useToday } from '../../lib/clock';
import { BirdsStep } from './birds-step';
import { NotifyStep } from './notify-step';
import { PlaceStep } from './place-step';
import classes from './welcome.module.css';
import { useDone } from './welcome-queries';
import { type Step, steps } from './welcome-search';

/** First steps with a hub; each can be skipped and resumed. */
export function WelcomePage() {
  const { t } = useTranslation('welcome');
  const { step: asked } = useSearch({ from: '/welcome' });
  const navigate = useNavigate();
  const done = useDone(useToday());
  const isDone: Readonly<Record<Step, boolean | undefined>> = {
    place: done.place,
    birds: done.birds,
    notify: done.hasPassword,
  };
  // Skips completed steps.
  const step = asked ?? steps.find((one) => isDone[one] !== true) ?? 'notify';
  const next = steps[steps.indexOf(step) + 1];
  const goOn = () =>
    void (next === undefined
      ? navigate({ to: '/' })
      : navigate({ to: '/welcome', search: { step: next }, replace: true }));
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(step);
  useEffect(() => {
    if (first.current !== step) heading.current?.focus();
    first.current = step;
  }, [step]);
  return (
    <Page title={t('title')}>
      <Stack maw="40rem" mx="auto" w="100%">
        <nav aria-label={t('steps')}>
          <ol className={classes['steps']}>
            {steps.map((one, index) => (
              <li key={one}>
                <Link
                  to="/welcome"
                  search={{ step: one }}
                  replace
                  className={classes['step']}
                  aria-current={one === step ? 'step' : undefined}
                >
                  <span className={classes['number']} aria-hidden>
                    {isDone[one] === true ? <IconCircleCheck size={22} /> : index + 1}
                  </span>
                  <span>
                    {t(`step.${one}`)}
                    {isDone[one] === true && <span className={classes['hidden']}> ({t('done')})</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <Paper p={{ base: 'md', sm: 'lg' }} radius="lg" bg="var(--card-background)">
          <Title order={2} size="h3" mb="sm" ref={heading} tabIndex={-1} className={classes['heading'] ?? ''}>
            {t(`title.${step}`)}
          </Title>
          {isDone[step] === true && (
            <Text mb="sm" role="status">
              {t(`done.${step}`)}
            </Text>
          )}
          {step === 'place' && <PlaceStep onDone={goOn} />}
          {step === 'birds' && <BirdsStep />}
          {step === 'notify' && <NotifyStep hasPassword={done.hasPassword} />}
        </Paper>
        <Group justify="flex-end">
          <Button variant={isDone[step] === true ? 'filled' : 'default'} onClick={goOn}>
            {t(next === undefined ? 'finish' : isDone[step] === true ? 'next' : 'skip')}
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
