import { createHash } from 'node:crypto';
import {
  clockFormat,
  countText,
  type HubLanguage,
  speciesNameIn,
  type TimeFormat,
} from '@birdhub/domain/language';
import { type SharedDay, shareTexts } from '@birdhub/domain/shares';
import escapeHtml from 'escape-html';

/** The content of every shared page. */
interface PageFrame {
  readonly language: HubLanguage;
  /** Name of the hub. */
  readonly hub: string;
  readonly zone: string;
}

/** The content of the page of a valid link, apart from its subject. */
interface ValidPage extends PageFrame {
  /** Locale of dates and times (BCP 47). */
  readonly locale: string;
  /** Absolute address of this page, without a trailing slash, for previews. */
  readonly address: string;
  /** Address relative to the page, independent of path prefixes of proxies. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** A page that shows one recording. */
export interface ClipPage extends ValidPage {
  readonly kind: 'video' | 'audio' | 'image' | null;
  readonly media: string;
  readonly species: readonly string[];
  readonly start: Date;
  readonly timeFormat: TimeFormat;
  readonly startOffset: number | null;
}

/** A page that shows one day. */
export interface DayPage extends ValidPage {
  readonly day: string;
  readonly place: string;
  readonly facts: SharedDay;
}

const style = `
:root{color-scheme:light dark;--page:#f3f6f1;--card:#fff;--text:#1c2a20;--soft:#5a6b5f;--line:#dde5dc;--tint:#2f6b3f}
@media (prefers-color-scheme:dark){:root{--page:#101612;--card:#18211b;--text:#e8efe9;--soft:#9fb0a4;--line:#2a362e;--tint:#8fd19e}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;align-content:center;justify-items:center;padding:16px;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:960px;background:var(--card);border:1px solid var(--line);border-radius:16px;overflow:hidden;box-shadow:0 8px 32px #0001}
video,img{display:block;width:100%;height:auto;max-height:72vh;object-fit:contain;background:#0a0f0c}
img.card{max-height:none;background:none}
audio{display:block;width:100%;padding:12px 16px}
header{padding:20px 24px 8px}
h1{margin:0;font-size:clamp(1.35rem,4vw,1.9rem);line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
header p{margin:6px 0 0;color:var(--soft)}
ul{list-style:none;margin:8px 0 0;padding:0 24px;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(240px,100%),1fr));column-gap:32px}
li{display:flex;justify-content:space-between;gap:12px;padding:8px 0;border-top:1px solid var(--line)}
li span:last-child{color:var(--soft);white-space:nowrap}
.note{margin:0;padding:12px 24px;color:var(--soft)}
footer{display:flex;flex-wrap:wrap;gap:4px 16px;justify-content:space-between;padding:16px 24px 20px;color:var(--soft);font-size:.875rem}
footer b{color:var(--tint);font-weight:600}
`;

/**
 * The Content-Security-Policy of shared pages: pictures and media of the hub and one style sheet. Scripts, forms and
 * framing are blocked.
 */
export const sharedPagePolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const fullDate = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Returns the page of a link to a recording. */
export function clipPage(page: ClipPage): string {
  const { language, locale, hub, zone, timeFormat, address, path, kind, media, species, start, startOffset } =
    page;
  const texts = shareTexts[language];
  const names = species.map((name) => speciesNameIn(language, name));
  const title = names.length ? new Intl.ListFormat(language).format(names) : texts.unknownBird;
  const description = clockFormat(locale, zone, timeFormat, fullDate).format(start);
  const hasFile = media === 'ready' && kind !== null;
  const note =
    hasFile || kind === null
      ? ''
      : `<p class="note">${media === 'pending' ? texts.pending : texts.cleared}</p>`;
  return layOut(page, {
    title,
    body: `${medium({ path, kind, hasFile, startOffset, title })}${heading(title, description)}${note}`,
    meta: [
      ['og:type', kind === 'video' ? 'video.other' : 'website'],
      ['og:title', title],
      ['og:description', description],
      ['og:site_name', hub],
      ...(kind === null ? [] : ([['og:image', `${address}/picture`]] as const)),
      ...(kind === 'video' && hasFile ? ([['og:video', `${address}/media`]] as const) : []),
      ['twitter:card', kind === null ? 'summary' : 'summary_large_image'],
    ],
  });
}

interface Medium extends Pick<ClipPage, 'path' | 'kind' | 'startOffset'> {
  readonly hasFile: boolean;
  readonly title: string;
}

function medium({ path, kind, hasFile, startOffset, title }: Medium): string {
  if (kind === null) return '';
  const picture = escapeHtml(`${path}/picture?width=1280`);
  // Browsers do not parse exponents.
  const seconds = Math.round((startOffset ?? 0) * 1_000) / 1_000;
  const from = seconds ? `#t=${seconds}` : '';
  const label = escapeHtml(title);
  const image = `<img src="${picture}" alt="${label}">`;
  if (!hasFile || kind === 'image') return image;
  const source = `src="${escapeHtml(`${path}/media`)}${from}" preload="metadata" controls aria-label="${label}"`;
  return kind === 'audio'
    ? `${image}<audio ${source}></audio>`
    : `<video ${source} poster="${picture}" playsinline></video>`;
}

/** Returns the page of a link to a day. */
export function dayPage(page: DayPage): string {
  const { language, locale, hub, address, path, day, place, facts } = page;
  const texts = shareTexts[language];
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  const title = capitalise(date.format(new Date(`${day}T00:00:00Z`)), language);
  const counts = [
    countText(language, 'visits', facts.visits),
    countText(language, 'species', facts.species.length),
    ...(place ? [place] : []),
  ].join(' · ');
  const rows = facts.species.map(({ name, visits, isHeardOnly }) => {
    const heard = isHeardOnly ? ` · ${texts.heard}` : '';
    const count = new Intl.NumberFormat(language).format(visits);
    return `<li><span>${escapeHtml(speciesNameIn(language, name))}</span><span>${count}${heard}</span></li>`;
  });
  return layOut(page, {
    title,
    body: `<img class="card" src="${escapeHtml(path)}/card.png?language=${language}" width="1200" height="630" alt="">${heading(title, counts)}<ul>${rows.join('')}</ul>`,
    meta: [
      ['og:type', 'website'],
      ['og:title', title],
      ['og:description', counts],
      ['og:site_name', hub],
      ['og:image', `${address}/card.png`],
      ['og:image:type', 'image/png'],
      ['og:image:width', '1200'],
      ['og:image:height', '630'],
      ['twitter:card', 'summary_large_image'],
    ],
  });
}

/** Returns the page of an invalid link, which does not disclose the reason. */
export function gonePage({ language, hub }: Omit<PageFrame, 'zone'>): string {
  const { goneTitle, gone } = shareTexts[language];
  const body = heading(goneTitle, gone);
  return document({
    language,
    title: goneTitle,
    meta: [],
    body: `${body}<footer><b>${escapeHtml(hub)}</b></footer>`,
  });
}

const heading = (title: string, below: string) =>
  `<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(below)}</p></header>`;

type Meta = readonly (readonly [property: string, content: string])[];

function layOut(
  { language, locale, hub, zone, expiresAt }: ValidPage,
  { title, body, meta }: { readonly title: string; readonly body: string; readonly meta: Meta },
): string {
  const { sharedFrom, validUntil } = shareTexts[language];
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone }).format(expiresAt);
  const from = escapeHtml(sharedFrom).replace('{hub}', () => `<b>${escapeHtml(hub)}</b>`);
  const end = escapeHtml(validUntil.replace('{date}', () => until));
  const footer = `<footer><span>${from}</span><span>${end}</span></footer>`;
  return document({ language, title: `${title} · ${hub}`, meta, body: body + footer });
}

interface Document {
  readonly language: HubLanguage;
  readonly title: string;
  readonly meta: Meta;
  readonly body: string;
}

function document({ language, title, meta, body }: Document): string {
  const tags = meta.map(([property, content]) => {
    const attribute = property.startsWith('twitter:') ? 'name' : 'property';
    return `<meta ${attribute}="${property}" content="${escapeHtml(content)}">`;
  });
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<meta name="robots" content="noindex,nofollow,noarchive"><title>${escapeHtml(title)}</title>${tags.join('')}` +
    `<style>${style}</style></head><body><main>${body}</main></body></html>`
  );
}

function capitalise(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
