import { SetupError } from './setup-error.mjs';

const oldest = { major: 20, minor: 19 };

/** @throws SetupError when this Node.js is too old or the system is not one the launcher knows. */
export function checkNode(version = process.versions.node, platform = process.platform) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
    throw new SetupError(
      `Birdhub needs Node.js ${oldest.major}.${oldest.minor} or newer and this is ${version}: install a newer one from https://nodejs.org and start again.`,
    );
  }
  if (platform === 'win32') {
    throw new SetupError(
      'Birdhub starts on Linux and macOS: on Windows use WSL, or the containers of deploy/compose.yaml.',
    );
  }
}
