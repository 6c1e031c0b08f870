import { invalidField } from '@birdhub/shared/errors';

const longestName = 100;
const visible = /[^\s\p{Cc}\p{Cf}]/u;
const control = /\p{Cc}/u;

/**
 * The name of a food as it is stored, without space around it and with one between words.
 * @throws HubError invalid_request
 */
export function toFoodName(given: string): string {
  const name = given.trim().replace(/ {2,}/g, ' ').normalize('NFC');
  if ([...name].length > longestName)
    throw invalidField('/name', `must be at most ${longestName} characters`);
  if (!visible.test(name)) throw invalidField('/name', 'must not be empty');
  if (control.test(name) || !name.isWellFormed())
    throw invalidField('/name', 'must be plain text on one line');
  return name;
}
