// Starts the hub of the add-on with what is set in Home Assistant.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';

const optionsFile = '/data/options.json';
const options = existsSync(optionsFile) ? JSON.parse(readFileSync(optionsFile, 'utf8')) : {};
const recordingsDir = options.recordings_dir || '/media/birdhub';
mkdirSync(recordingsDir, { recursive: true });

const hub = spawn(process.execPath, ['packages/launcher/start.mjs'], {
  cwd: '/app',
  stdio: 'inherit',
  env: {
    // biome-ignore lint/style/noProcessEnv: the container's own variables are passed on.
    ...process.env,
    HOST: '0.0.0.0',
    PORT: '8099',
    DATA_DIR: '/data/hub',
    RECORDINGS_DIR: recordingsDir,
    LOG_LEVEL: options.log_level || 'info',
    HUB_SINGLE_PROCESS: '1',
    // Home Assistant's ingress alone; https://developers.home-assistant.io/docs/add-ons/presentation#ingress
    TRUSTED_PROXIES: '172.30.32.2',
    PUSH_ALLOW_PRIVATE: options.allow_private_messages === false ? '0' : '1',
    ...(options.processor_secret && { PROCESSOR_SECRET: options.processor_secret }),
  },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => hub.kill(signal));
hub.on('exit', (code) => process.exit(code ?? 1));
