import { defaultSettings, type Settings } from '@birdhub/shared/settings';
import { expect, test } from 'vitest';
import { followPasswords, isProtected } from './passwords.js';

function settingsWith(password: string): Settings {
  const settings = defaultSettings('UTC');
  return { ...settings, general: { ...settings.general, settings_password: password } };
}

function createSource() {
  let tell: (settings: Settings) => void = () => undefined;
  let answer: () => Promise<Settings> = async () => settingsWith('');
  const source = {
    watch(listener: (settings: Settings) => void) {
      tell = listener;
      return () => undefined;
    },
    forget: () => undefined,
    current: () => answer(),
  };
  return {
    source,
    tell: (settings: Settings) => tell(settings),
    answerWith: (next: () => Promise<Settings>) => {
      answer = next;
    },
  };
}

test('followPasswords, before anything was read, knows nothing', () => {
  expect(followPasswords(createSource().source).now()).toBeUndefined();
});

test('followPasswords, told of settings, knows their passwords', () => {
  const { source, tell } = createSource();
  const passwords = followPasswords(source);
  tell(settingsWith('$hash'));
  expect(passwords.now()).toEqual({ admin: '$hash', contributor: '', idleMinutes: 30 });
});

test('followPasswords, while it reads again, is pending, and knows the new ones afterwards', async () => {
  const { source, tell, answerWith } = createSource();
  const passwords = followPasswords(source);
  tell(settingsWith(''));
  answerWith(async () => settingsWith('$new'));
  const reading = passwords.refresh();
  expect(passwords.pending()).toBe(reading);
  await reading;
  expect(passwords.pending()).toBeUndefined();
  expect(passwords.now()?.admin).toBe('$new');
});

test('followPasswords, the database away, goes on with what it knew', async () => {
  const { source, tell, answerWith } = createSource();
  const passwords = followPasswords(source);
  tell(settingsWith('$hash'));
  answerWith(() => Promise.reject(new Error('away')));
  await passwords.refresh();
  expect([passwords.pending(), passwords.now()?.admin]).toEqual([undefined, '$hash']);
});

test.each([
  ['', '', false],
  ['a', '', true],
  ['a', 'c', true],
  ['', 'c', true],
])('isProtected, of passwords %j and %j, is %s', (admin, contributor, expected) => {
  expect(isProtected({ admin, contributor, idleMinutes: 30 })).toBe(expected);
});
