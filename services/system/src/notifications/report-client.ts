import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { HubLanguage } from '@birdhub/domain/language';

/** The address of the reports service. */
export interface ReportClientOptions {
  /** A URL, or `unix:/path` of a socket. */
  readonly reportsUrl: string;
  readonly internalSecret: string | undefined;
}

/** A requested report. */
interface WantedReport {
  /** In ms since the epoch. */
  readonly from: number;
  /** In ms since the epoch. */
  readonly to: number;
  readonly language: HubLanguage;
}

const timeoutMs = 60_000;
const maxReportBytes = 10 * 1024 * 1024;
const scheme = 'unix:';

/** Fetches a PDF report from the reports service. @throws Error on timeout, failure or a report that is too large */
export async function fetchReport(
  { reportsUrl, internalSecret }: ReportClientOptions,
  { from, to, language }: WantedReport,
): Promise<Buffer> {
  const query = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(to).toISOString(),
    language,
  });
  const path = `/api/ui/report/pdf?${query}`;
  const headers = internalSecret === undefined ? {} : { 'x-hub-internal': internalSecret };
  const signal = AbortSignal.timeout(timeoutMs);
  const isSocket = reportsUrl.startsWith(scheme);
  const url = isSocket ? undefined : new URL(path, reportsUrl);
  const request = url?.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { headers, signal };
    const socketOptions = { ...options, socketPath: reportsUrl.slice(scheme.length), path, host: 'reports' };
    const sent = url ? request(url, options) : request(socketOptions);
    sent.on('error', reject);
    sent.on('response', async (response) => {
      try {
        if (response.statusCode !== 200)
          throw new Error(`the reports service responded with ${response.statusCode}`);
        const parts: Buffer[] = [];
        let bytes = 0;
        for await (const part of response) {
          bytes += (part as Buffer).length;
          if (bytes > maxReportBytes) throw new Error('the report is too large');
          parts.push(part as Buffer);
        }
        resolve(Buffer.concat(parts));
      } catch (error) {
        response.destroy();
        reject(error);
      }
    });
    sent.end();
  });
}
