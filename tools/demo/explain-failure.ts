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
    return `Cannot connect to the hub at ${hub}. Start it with npm start, or set its address with --hub URL.\n(${error.message})`;
  }
  if (error instanceof ProcessorResponseError) return explainResponse(error, hub);
  return undefined;
}

function explainResponse(error: ProcessorResponseError, hub: string | undefined): string {
  if (error.status === 403) {
    return `The hub at ${hub} requires a processor token: set PROCESSOR_SECRET to the value that the hub uses.`;
  }
  if (error.status === 404) {
    return `The server at ${hub} does not have the processor's routes. Check that the address is the hub's, with its base path.`;
  }
  return `The hub refused a request of the demo: ${error.message}`;
}
