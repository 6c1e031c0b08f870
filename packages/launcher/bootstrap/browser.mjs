import { SetupError } from './setup-error.mjs';
import { findTool, installTools } from './system-tools.mjs';

/** Makes Chromium available to the tests of pages: found, or installed where that is allowed; else they are skipped. */
export function provideBrowser(log) {
  if (findTool('chromium') !== undefined) return;
  try {
    installTools(['chromium'], log);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    log(`There is no Chromium, tests of pages are skipped. ${error.message}`);
  }
}
