import type { Settings, SettingsReader } from '@birdhub/shared/settings';

/** The passwords as they are stored, empty when not set, and how long those who know them stay. */
export interface Passwords {
  readonly admin: string;
  readonly contributor: string;
  readonly idleMinutes: number;
}

/** The passwords as this process knows them; what was read last holds while the database is away. */
export interface KnownPasswords {
  /** Undefined until they were read for the first time. */
  now(): Passwords | undefined;
  /** Set while {@link refresh} reads; it never rejects. */
  pending(): Promise<void> | undefined;
  /** Reads them again: they were changed. */
  refresh(): Promise<void>;
}

function toPasswords({ general }: Settings): Passwords {
  const { settings_password: admin, contributor_password: contributor, session_idle_minutes } = general;
  return { admin, contributor, idleMinutes: session_idle_minutes };
}

/** Whether anybody has to unlock anything. */
export function isProtected({ admin, contributor }: Passwords): boolean {
  return admin !== '' || contributor !== '';
}

/** Follows the passwords of the settings. */
export function followPasswords(
  settings: Pick<SettingsReader, 'current' | 'forget' | 'watch'>,
): KnownPasswords {
  let known: Passwords | undefined;
  let pending: Promise<void> | undefined;
  settings.watch((current) => {
    known = toPasswords(current);
  });

  async function read(): Promise<void> {
    settings.forget();
    // The settings log what goes wrong, and try again.
    const current = await settings.current().catch(() => undefined);
    if (current) known = toPasswords(current);
  }

  function refresh(): Promise<void> {
    const reading = read().finally(() => {
      if (pending === reading) pending = undefined;
    });
    pending = reading;
    return reading;
  }

  return { now: () => known, pending: () => pending, refresh };
}
