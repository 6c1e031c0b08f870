import { getI18n } from 'react-i18next';
import { problemText } from '../../api/problem';
import type { Role } from '../../api/unlock';
import { showProblemNotice } from '../../components/notices';
import { requestRole } from './access';

/**
 * Asks for the password where needed; for requests that the browser makes itself, such as downloads. Shows a notice and
 * returns false when the hub does not respond.
 */
export async function ensureRole(role: Role): Promise<boolean> {
  try {
    return await requestRole(role);
  } catch (error) {
    showProblemNotice(problemText(getI18n().t, error as Error));
    return false;
  }
}
