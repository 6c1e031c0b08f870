import { setByLauncher } from './launcher-facts.js';
import { type GivenVariable, launcherVariables, toolVariables } from './launcher-variables.js';
import { markdownPage, markdownTable } from './markdown-table.js';
import { type ServiceVariable, serviceNames } from './service-variables.js';

const intro = `# Configuration

The processes of the hub read these environment variables once, when they start. With \`npm start\` the variables may
also be in the file \`.env\` of the repository (start from [.env.example](../.env.example)); the environment takes
precedence. An empty variable counts as not set. A service with missing or invalid variables does not start and lists them.

A variable with a \`_FILE\` variant is a secret: \`NAME_FILE\` may name a file that contains its value.

Options that users change while the hub is running (zone, gap between visits, cameras, ...) are settings in the database.`;

const launcherIntro = `## The launcher

\`npm start\`, \`npm run dev\` and \`npm run hub\` read these. Everything else in their environment is passed to the
services unchanged, \`NODE_EXTRA_CA_CERTS\` for one.`;

const serviceIntro = `## The services

Set these when you start services without the launcher. The last column shows what the launcher does: it *sets* the
variable for each service, or *passes* your value on.`;

const toolIntro = `## The demo and the benchmarks

The demo also reads \`PROCESSOR_SECRET\`, \`BASE_PATH\`, \`RECORDINGS_DIR\` and \`DATA_DIR\` as the hub does.`;

const code = (text: string) => `\`${text}\``;
const nameCell = (name: string, isSecret: boolean) =>
  isSecret ? `${code(name)}, ${code(`${name}_FILE`)}` : code(name);

function givenTable(variables: readonly GivenVariable[]): string {
  const rows = variables.map(({ name, default: value, description, isSecret }) => [
    nameCell(name, isSecret === true),
    value ? code(value) : '',
    description,
  ]);
  return markdownTable(['Variable', 'Default', 'Meaning'], rows);
}

function defaultCell({ default: value, isRequired }: ServiceVariable): string {
  if (isRequired) return '*required*';
  return value ? code(value) : '';
}

function serviceTable(variables: readonly ServiceVariable[]): string {
  const rows = variables.map((variable) => [
    nameCell(variable.name, variable.isSecret),
    variable.services.length === serviceNames.length ? 'all' : variable.services.join(', '),
    defaultCell(variable),
    variable.values ? `${variable.description} (${variable.values})` : variable.description,
    setByLauncher.has(variable.name) ? 'sets' : 'passes',
  ]);
  return markdownTable(['Variable', 'Services', 'Default', 'Meaning', 'Launcher'], rows);
}

/** Returns the text of `docs/configuration.md`. */
export function configurationPage(variables: readonly ServiceVariable[]): string {
  return markdownPage([
    intro,
    launcherIntro,
    givenTable(launcherVariables),
    serviceIntro,
    serviceTable(variables),
    toolIntro,
    givenTable(toolVariables),
  ]);
}
