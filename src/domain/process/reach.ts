import type { DeliveryType, SignatureType, Signee } from './process.ts';

/**
 * What a signee lacks for their kind of signature and of delivery, in words; undefined when they
 * can be reached.
 */
export function reachFault(
  { ssn, phoneNumber, email }: Pick<Signee, 'ssn' | 'phoneNumber' | 'email'>,
  type: SignatureType,
  delivery: DeliveryType,
): string | undefined {
  if (type === 'Qualified' && ssn === undefined && phoneNumber === undefined) {
    return 'a Qualified signature needs ssn or phone, found neither';
  }
  if (type === 'Simple' && (phoneNumber === undefined || email === undefined)) {
    return 'a Simple signature needs phone and email';
  }
  if (type === 'ClickToSign' && email === undefined) return 'a ClickToSign signature needs email';
  if (delivery === 'Sms' && type !== 'Qualified') {
    return `Sms cannot be used with ${type}: expected None or Email`;
  }
  if (delivery === 'Email' && email === undefined) return 'delivery by Email needs email';
  if (delivery === 'Sms' && phoneNumber === undefined) return 'delivery by Sms needs phone';
  return undefined;
}
