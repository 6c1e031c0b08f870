import { Anchor, Button, ThemeIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { statusQuery } from '../../lib/hub-facts';
import { parseStored, readStored, store } from '../../lib/storage';
import { useDemoOnly } from '../demo/use-demo';
import { Card } from './card';
import { FoodOffered } from './feeder-card';
import classes from './setup-card.module.css';
import { feedQuery, foodQuery, sunTimesQuery } from './today-queries';

const storageKey = 'birdhub.setup-declined';

/** A card with everything that is not set up yet. */
export function SetupCard({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { data: status } = useQuery(statusQuery);
  const { data: sun } = useQuery(sunTimesQuery(day));
  const { data: feed } = useQuery(feedQuery);
  const { data: foods } = useQuery(foodQuery);
  const demoOnly = useDemoOnly();
  const [declined, setDeclined] = useState(() => Object.values(parseStored(readStored(storageKey))));
  const decline = (step: OptionalStep) => {
    setDeclined([...declined, step]);
    store(storageKey, JSON.stringify([...declined, step]));
  };
  const steps = [
    status?.sources.length === 0 && (status.processor === 'unknown' || demoOnly.birds)
      ? ({ text: 'setup_birds', to: '/welcome', search: { step: 'birds' } } as const)
      : undefined,
    sun !== undefined && (sun.sunrise === undefined || demoOnly.place)
      ? ({ text: 'setup_place', to: '/welcome', search: { step: 'place' } } as const)
      : undefined,
    feed?.feed_source === 'none' && !declined.includes('feeder')
      ? ({ text: 'setup_feeder', to: '/settings', hash: 'feeder', hashScrollIntoView: false } as const)
      : undefined,
  ].filter((step) => step !== undefined);
  const isFoodOpen =
    feed?.feed_source === 'none' &&
    foods !== undefined &&
    !foods.some(({ active }) => active) &&
    !declined.includes('food');
  const count = steps.length + (isFoodOpen ? 1 : 0);
  if (count === 0) return null;
  return (
    <Card title={t('setup', { count })}>
      <ul className={classes['steps']}>
        {steps.map(({ text, ...target }) => (
          <li key={text} className={classes['step']}>
            <ThemeIcon size={20} radius="xl" variant="light">
              <IconChevronRight size={14} aria-hidden />
            </ThemeIcon>
            <Anchor renderRoot={(props) => <Link {...target} {...props} />}>{t(text)}</Anchor>
            {text === 'setup_feeder' && <DeclineButton onClick={() => decline('feeder')} name={t(text)} />}
          </li>
        ))}
      </ul>
      {isFoodOpen && (
        <>
          <FoodOffered />
          <DeclineButton onClick={() => decline('food')} name={t('food')} />
        </>
      )}
    </Card>
  );
}

/** Steps that not every hub has; remembered in this browser. */
type OptionalStep = 'feeder' | 'food';

interface DeclineButtonProps {
  /** Of the step. */
  readonly name: string;
  readonly onClick: () => void;
}

/** Leaves a step out. */
function DeclineButton({ name, onClick }: DeclineButtonProps) {
  const { t } = useTranslation('today');
  const decline = ({ currentTarget }: MouseEvent) => {
    const card = currentTarget.closest('section');
    flushSync(onClick);
    const next = card?.isConnected
      ? card.querySelector<HTMLElement>('a, button')
      : document.querySelector('main');
    // The button that had the focus is gone.
    next?.focus();
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      flex="none"
      aria-label={t('setup_decline_named', { name })}
      onClick={decline}
    >
      {t('setup_decline')}
    </Button>
  );
}
