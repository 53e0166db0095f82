import { EidError, type EidRequest } from '../../../app/ports/index.ts';
import { normalPhone } from '../../../base/text/index.ts';
import { nationalNumber } from './person/national-number.ts';

/**
 * The number that the provider is asked with: seven digits of a phone for `Sim`, ten digits of a
 * national number for `App`.
 *
 * @throws EidError `notAUser` when it cannot be one; `internalError` for another channel
 */
export function loginHintOf({ channel, loginHint }: EidRequest): string {
  if (channel === 'Sim') {
    const phone = normalPhone(loginHint);
    if (/^[678]\d{6}$/.test(phone)) return phone;
    throw new EidError('notAUser', 'expected the number of an Icelandic mobile phone');
  }
  if (channel !== 'App') throw new EidError('internalError', 'expected the channel Sim or App');
  const number = nationalNumber(loginHint);
  if (number !== undefined) return number;
  throw new EidError('notAUser', 'expected an Icelandic national number');
}
