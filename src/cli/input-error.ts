import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import { osErrorText, systemCode } from '../base/os-errors.ts';
import { foundInstead } from '../wire/documents.ts';

/**
 * Creates the error for a file that the user named and that could not be read: the same for every
 * argument and option. A path through something that is not a folder counts as missing.
 *
 * @param more the option that names the file, such as `--image`, and a hint on what to name instead
 */
export function inputError(
  file: string,
  cause: unknown,
  more: { readonly option?: string; readonly hint?: string } = {},
): InnsigliError {
  const { option, hint } = more;
  const reason = systemCode(cause) ?? 'unknown';
  const details = { file, reason };
  const prefix = option === undefined ? '' : `${option}: `;
  if (reason === 'ENOENT' || reason === 'ENOTDIR') {
    const rename = file.includes('\ufffd')
      ? 'rename the file: its name may not be valid UTF-8'
      : hint;
    const context = { cause, details, ...defined({ hint: rename }) };
    return new InnsigliError('io.input.notfound', `${prefix}no such file: ${file}`, context);
  }
  const found = foundInstead(cause);
  const device = 'pass a file, or use shell redirection: <(…) or < FILE';
  const advice = found === undefined ? hint : device;
  const why = found === undefined ? osErrorText(reason) : `expected a regular file, found ${found}`;
  const context = { cause, details, ...defined({ hint: advice }) };
  const message = `${prefix}${file} cannot be read: ${why}`;
  return new InnsigliError('io.input.unreadable', message, context);
}
