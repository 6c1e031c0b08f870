import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StartDemo } from '../demo/start-demo';

/** Card of a hub without birds: set it up, or try it with demo data. */
export function WelcomeCard() {
  const { t } = useTranslation('welcome');
  return (
    <Paper
      p={{ base: 'lg', sm: 'xl' }}
      radius="lg"
      bg="var(--card-background)"
      maw="40rem"
      mx="auto"
      w="100%"
    >
      <Stack align="center" ta="center">
        <GreetingBird />
        <Title order={2}>{t('hello')}</Title>
        <Text>{t('hello_hint')}</Text>
        <Button size="md" renderRoot={(props) => <Link to="/welcome" {...props} />}>
          {t('begin')}
        </Button>
        <StartDemo />
        <Anchor size="sm" renderRoot={(props) => <Link to="/sources" {...props} />}>
          {t('connect')}
        </Anchor>
      </Stack>
    </Paper>
  );
}

/** A robin on a branch, in the hub's colours. */
function GreetingBird() {
  return (
    <svg width="132" height="104" viewBox="0 0 132 104" aria-hidden="true">
      <path d="M6 88q58-10 120 2" stroke="#7a5a3c" strokeWidth="6" strokeLinecap="round" fill="none" />
      <path d="M100 86q10-16 22-18-2 14-22 18z" fill="#5c9a57" />
      <path
        d="M96 30c-5-12-22-14-30-3-6 9-20 14-34 33l-16 12 20 1c8 8 28 10 42 1 15-9 20-27 18-44z"
        fill="#8c7248"
      />
      <path d="M97 32c-3-10-15-13-20-4-5 10-8 22 2 32 5 4 12 2 15-3 5-8 5-17 3-25z" fill="#dd6a1e" />
      <path d="M36 73c14 4 28 2 40-10 6 14-18 22-40 10z" fill="#efe6d4" />
      <path d="M74 42c-12-2-30 12-46 30 20 2 42-6 46-30z" fill="#745a38" />
      <path d="M97 29l10 4-10 3z" fill="#2a221c" />
      <circle cx="87" cy="28" r="3.4" fill="#140d08" />
      <circle cx="88.2" cy="26.8" r="1.1" fill="#fff" />
      <path d="M62 78l-2 9M72 77l1 9" stroke="#5e4434" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
