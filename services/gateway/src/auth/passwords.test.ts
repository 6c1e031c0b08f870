import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { expect, test } from 'vitest';
import { followPasswords, isProtected } from './passwords.js';

function settingsWith(password: string): Settings {
  const settings = defaultSettings('UTC');
  return { ...settings, general: { ...settings.general, settings_password: password } };
}

function createSource() {
  let notify: (settings: Settings) => void = () => undefined;
  let response: () => Promise<Settings> = async () => settingsWith('');
  const source = {
    watch(listener: (settings: Settings) => void) {
      notify = listener;
      return () => undefined;
    },
    forget: () => undefined,
    current: () => response(),
  };
  return {
    source,
    notify: (settings: Settings) => notify(settings),
    answerWith: (next: () => Promise<Settings>) => {
      response = next;
    },
  };
}

test('followPasswords, before the first read, has none', () => {
  expect(followPasswords(createSource().source).current()).toBeUndefined();
});

test('followPasswords, after a change of the settings, has the new passwords', () => {
  const { source, notify } = createSource();
  const passwords = followPasswords(source);
  notify(settingsWith('$hash'));
  expect(passwords.current()).toEqual({ admin: '$hash', contributor: '', idleMinutes: 30 });
});

test('followPasswords, during a refresh, is pending, and then has the new passwords', async () => {
  const { source, notify, answerWith } = createSource();
  const passwords = followPasswords(source);
  notify(settingsWith(''));
  answerWith(async () => settingsWith('$new'));
  const reading = passwords.refresh();
  expect(passwords.pending()).toBe(reading);
  await reading;
  expect(passwords.pending()).toBeUndefined();
  expect(passwords.current()?.admin).toBe('$new');
});

test('followPasswords, with the database down, keeps the last passwords', async () => {
  const { source, notify, answerWith } = createSource();
  const passwords = followPasswords(source);
  notify(settingsWith('$hash'));
  answerWith(() => Promise.reject(new Error('away')));
  await passwords.refresh();
  expect([passwords.pending(), passwords.current()?.admin]).toEqual([undefined, '$hash']);
});

test.each([
  ['', '', false],
  ['a', '', true],
  ['a', 'c', true],
  ['', 'c', true],
])('isProtected, of passwords %j and %j, is %s', (admin, contributor, expected) => {
  expect(isProtected({ admin, contributor, idleMinutes: 30 })).toBe(expected);
});
