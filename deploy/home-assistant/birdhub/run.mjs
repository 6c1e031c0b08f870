// Starts the hub of the add-on with what is set in Home Assistant.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';

const optionsFile = '/data/options.json';
const options = existsSync(optionsFile) ? JSON.parse(readFileSync(optionsFile, 'utf8')) : {};
const recordingsDir = options.recordings_dir || '/media/birdhub';
mkdirSync(recordingsDir, { recursive: true });

// What the image was built with is run as it is: nothing is installed or compiled when it starts.
process.chdir('/app');
// biome-ignore lint/style/noProcessEnv: the hub reads its own environment.
Object.assign(process.env, {
  HOST: '0.0.0.0',
  PORT: '8099',
  DATA_DIR: '/data/hub',
  RECORDINGS_DIR: recordingsDir,
  LOG_LEVEL: options.log_level || 'info',
  HUB_SINGLE_PROCESS: '1',
  // Home Assistant's ingress alone; https://developers.home-assistant.io/docs/add-ons/presentation#ingress
  TRUSTED_PROXIES: '172.30.32.2',
  // Of channels only: anybody in the network could subscribe to web push with the address of another device.
  CHANNELS_ALLOW_PRIVATE: options.allow_private_messages === false ? '0' : '1',
  ...(options.processor_secret && { PROCESSOR_SECRET: options.processor_secret }),
});
const { main } = await import('/app/packages/launcher/dist/main.js');
await main({ isWatching: false });
