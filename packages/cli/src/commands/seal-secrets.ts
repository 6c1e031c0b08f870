import { type ResealedSecrets, resealSecrets, rotateSecrets } from '@birdhub/domain/settings';
import { keyFileIn, type SecretsConfig, secretKeys } from '@birdhub/shared/secrets';
import { withSettings } from './with-settings.js';

/** Seals the secrets anew: with the first key of the environment when it names any, else with a new key. */
export function sealSecrets(databaseUrl: string, config: SecretsConfig): Promise<ResealedSecrets> {
  return withSettings(databaseUrl, ({ pool }) =>
    config.secretsKey === undefined
      ? rotateSecrets(pool, keyFileIn(config.dataDir))
      : resealSecrets(pool, secretKeys(config)),
  );
}
