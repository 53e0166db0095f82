import { withoutWebAddresses } from './web-address.ts';

/** Text that is not seen: joiners and variants are spelling of some scripts. */
const unseen = /(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/**
 * Why a name that a stranger gives must not stand in messages and documents of a company: mail
 * programs would make a link of it, it reorders the text around it, or nobody sees it. Undefined
 * for a name that may.
 */
export function claimedNameFault(name: string): string | undefined {
  if (withoutWebAddresses(name) !== name) {
    return 'expected a name, found a dot, colon or slash as web addresses have it';
  }
  if (/\p{Bidi_Control}/u.test(name)) return 'expected a name, found marks that reorder text';
  if (unseen.test(name)) return 'expected a name, found characters that nobody sees';
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'expected a name with a letter or digit';
}
