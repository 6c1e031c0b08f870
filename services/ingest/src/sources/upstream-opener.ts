import type { SettingsReader } from '@birdhub/domain/settings';
import { invalidField } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { createSourceHttp } from './source-http.js';
import type { SourceKind, SourceKindName, Upstream } from './source-kind.js';
import { type SourceFields, toSourceConfig } from './sources.store.js';

/** Dependencies of {@link UpstreamOpener}. */
export interface UpstreamOpenerDeps {
  readonly kinds: Readonly<Partial<Record<SourceKindName, SourceKind>>>;
  readonly guard: ServiceGuard;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly isKnownSpecies: (name: string) => Promise<boolean>;
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The clip of a test is a temporary file, which a container may keep in memory. */
const maxTestBytes = 128 * 1024 * 1024;

/** Opens connections to sources. The caller closes them. */
export class UpstreamOpener {
  readonly #deps: UpstreamOpenerDeps;

  constructor(deps: UpstreamOpenerDeps) {
    this.#deps = deps;
  }

  /** @throws HubError invalid_request for an unsupported kind */
  kindOf(name: SourceKindName): SourceKind {
    const kind = this.#deps.kinds[name];
    if (!kind) throw invalidField('/kind', `${name} is not supported by this hub`);
    return kind;
  }

  async open(kind: SourceKindName, fields: SourceFields & { readonly id?: number }): Promise<Upstream> {
    const { guard, clock, isKnownSpecies, ffmpegPath, settings } = this.#deps;
    const { timezone } = (await settings.current()).general;
    const config = toSourceConfig(fields, timezone);
    const http = createSourceHttp({
      url: config.url,
      guard,
      ...(config.id === 0 && { maxFileBytes: maxTestBytes }),
    });
    const log = this.#deps.log.child({ source_id: config.id, kind });
    return this.kindOf(kind).open(config, { http, guard, clock, log, isKnownSpecies, ffmpegPath });
  }

  /** Checks a broker address. @throws RefusedAddressError for the hub's own services and forbidden addresses */
  async checkBroker(mqttUrl: string | undefined): Promise<void> {
    if (mqttUrl === undefined || !URL.canParse(mqttUrl)) return;
    const { protocol, host } = new URL(mqttUrl);
    const { hostname, port } = new URL(`http://${host || 'invalid'}`);
    const defaultPort = { 'mqtts:': 8883, 'ssl:': 8883, 'ws:': 80, 'wss:': 443 }[protocol] ?? 1883;
    await this.#deps.guard.admit(hostname, Number(port) || defaultPort);
  }
}
