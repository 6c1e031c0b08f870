import type { Settings, SettingsReader } from '@birdhub/domain/settings';

/** The stored passwords, empty when not set, and the idle timeout of sessions. */
export interface StoredPasswords {
  readonly admin: string;
  readonly contributor: string;
  readonly idleMinutes: number;
}

/** The passwords in this process; while the database is away, those that were read last. */
export interface KnownPasswords {
  /** Undefined until they were read for the first time. */
  current(): StoredPasswords | undefined;
  /** Set while {@link refresh} reads; it never rejects. */
  pending(): Promise<void> | undefined;
  /** Reads them again, after a change. */
  refresh(): Promise<void>;
}

/** Whether any password is set. */
export function isProtected({ admin, contributor }: StoredPasswords): boolean {
  return admin !== '' || contributor !== '';
}

function toPasswords({ general }: Settings): StoredPasswords {
  const { settings_password: admin, contributor_password: contributor, session_idle_minutes } = general;
  return { admin, contributor, idleMinutes: session_idle_minutes };
}

/** Follows the passwords of the settings. */
export function followPasswords(
  settings: Pick<SettingsReader, 'current' | 'forget' | 'watch'>,
): KnownPasswords {
  let known: StoredPasswords | undefined;
  let pending: Promise<void> | undefined;
  settings.watch(
    (current) => {
      known = toPasswords(current);
    },
    ['general'],
  );

  async function read(): Promise<void> {
    settings.forget();
    // The settings log failures and retry.
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

  return { current: () => known, pending: () => pending, refresh };
}
