import { FfmpegMissingError } from '@birdhub/demo/clips';
import {
  ProcessorNetworkError,
  ProcessorResponseError,
} from '@birdhub/testing/processor-client/processor-error';
import { OptionError } from './options.js';

/** Returns a message with the problem and its solution; undefined for unexpected errors. */
export function explainFailure(error: unknown, hub: string | undefined): string | undefined {
  if (error instanceof OptionError) return `${error.message}\nnpm run demo -- --help lists the options.`;
  if (error instanceof FfmpegMissingError) {
    return 'The demo makes its clips with ffmpeg, which is not installed. On Debian and Ubuntu: sudo apt-get install ffmpeg';
  }
  if (error instanceof ProcessorNetworkError) {
    return `No hub answers at ${hub}. Start it with npm start, or say where it is with --hub URL.\n(${error.message})`;
  }
  if (error instanceof ProcessorResponseError) return explainResponse(error, hub);
  return undefined;
}

function explainResponse(error: ProcessorResponseError, hub: string | undefined): string {
  if (error.status === 403) {
    return `The hub at ${hub} wants its processor token: set PROCESSOR_SECRET to the same value as the hub has.`;
  }
  if (error.status === 404) {
    return `What answers at ${hub} does not know the processor's routes. Is this the hub's address with its base path?`;
  }
  return `The hub refused what the demo sent: ${error.message}`;
}
