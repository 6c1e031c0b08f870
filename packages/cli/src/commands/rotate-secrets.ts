import { type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { withDatabase } from './with-database.js';

/** Seals the secrets of the settings with a new key, and says what became of them. */
export async function rotateSecrets(options: Options): Promise<number> {
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { sealSecrets } = await import('./seal-secrets.js');
  await withDatabase(options, async (databaseUrl) => {
    const { sealed, lost } = await sealSecrets(databaseUrl, secretsConfigOf(options));
    const key = options.secretsKey === undefined ? 'a new key' : 'the first key of SECRETS_KEY';
    console.log(`Secrets sealed with ${key}: ${sealed}.`);
    if (lost.length) console.log(`Their key is lost, so set them anew: ${lost.join(', ')}`);
  });
  return 0;
}
