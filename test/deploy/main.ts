/**
 * `npm run rehearse`: performs the steps of the Dockerfile for each service in a folder, without Docker, and starts the
 * result. Takes some minutes and 2 GB of disk; `npm run rehearse -- query` does it for one service.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedCatalogue } from '@birdhub/domain/species';
import { createLog } from '@birdhub/launcher/log';
import { startNats } from '@birdhub/launcher/nats-server';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { serviceNames } from '@birdhub/launcher/service-addresses';
import { migrate } from '@birdhub/shared/db';
import { rehearseImage } from './rehearse-image.js';
import { checkImage } from './run-image.js';

const wanted = process.argv.slice(2);
const services = serviceNames.filter((name) => wanted.length === 0 || wanted.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'birdhub-rehearsal-'));
chmodSync(folder, 0o755);
const log = createLog('rehearsal');
// The services run as another user.
const socketFolder = join(folder, 'sockets');
mkdirSync(socketFolder);
chmodSync(socketFolder, 0o777);
const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), socketFolder, log });
const nats = await startNats({ storeDir: join(folder, 'nats'), log });
try {
  await migrate(postgres.url, seedCatalogue);
  const shared: Record<string, string> = {};
  for (const service of services) {
    const stages = join(folder, service);
    const image = rehearseImage({ service, folder: stages, built: shared });
    for (const name of ['packages', 'build']) shared[name] ??= join(stages, name, 'app');
    checkDebianPackages(image.debianPackages);
    const writable = join(folder, 'writable', service);
    const code = await checkImage(image, { folder: writable, databaseUrl: postgres.url, natsUrl: nats.url });
    if (code !== 0) throw new Error(`${service} exited with ${code}`);
    const [size] = spawnSync('du', ['-sm', image.root], { encoding: 'utf8' }).stdout.split('\t');
    console.log(
      `${service}: healthy; ${size} MB in addition to Node.js and ${image.debianPackages.join(', ')}`,
    );
  }
} finally {
  await nats.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

function checkDebianPackages(names: readonly string[]): void {
  const { status } = spawnSync('apt-cache', ['show', ...names], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`Debian does not have all of ${names.join(', ')}`);
}
