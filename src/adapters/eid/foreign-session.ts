import { createHash } from 'node:crypto';
import type { ForeignScheme, IdentitySession } from '../../app/ports/index.ts';

/** Reserved for examples: no such page is anywhere. */
const SIMULATOR_PAGE = 'https://eid-simulator.invalid';

/** The first display of a session with a simulated provider. */
export function foreignSession(
  scheme: ForeignScheme,
  id: string,
): Pick<IdentitySession, 'autoStartToken' | 'qrData' | 'redirectUrl'> {
  if (scheme === 'eid-dk') return { redirectUrl: `${SIMULATOR_PAGE}/eid-dk/${shortened(id)}` };
  const qrData = newestLink(scheme, id, 0);
  return scheme === 'eid-se' ? { autoStartToken: shortened(`start ${id}`), qrData } : { qrData };
}

/** The text of a QR code, or link, that is shown after so much time: a new one each time. */
export function newestLink(scheme: ForeignScheme, id: string, elapsedMs: number): string {
  const count = Math.max(0, Math.floor(elapsedMs));
  const proof = shortened(`${scheme} ${id} ${count}`);
  if (scheme === 'device-link') {
    return `${SIMULATOR_PAGE}/device-link/${shortened(id)}?t=${count}&p=${proof}`;
  }
  return `${scheme}.simulator.${shortened(id)}.${count}.${proof}`;
}

function shortened(text: string): string {
  return createHash('sha256').update(`shown ${text}`).digest('hex').slice(0, 32);
}
