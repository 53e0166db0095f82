import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswerLost } from '../../../../app/company/index.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import type { ApiPorts } from '../../../ports.ts';

/** A page that is sent twice waits for the first answer this long, in all. */
const WAITS = 40;
const WAIT_MS = 250;

/**
 * Does the work of a page once, however often its browser sends it: to a double click and to a
 * reload goes the first answer. Work that failed may be done again.
 *
 * @param name of the page as it was sent to the browser
 * @throws idempotency.key.reused for other content under the name, quota.requests.exceeded
 */
export async function once(
  { idempotency }: Pick<ApiPorts, 'idempotency'>,
  companyKey: string,
  { name, content }: { readonly name: string; readonly content: string },
  work: () => Promise<string>,
): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  for (let waits = 0; ; waits += 1) {
    try {
      const held = await idempotency.begin(companyKey, name, { sha256, isOfForm: true });
      if (typeof held === 'string') return held;
      try {
        const answer = await held.run(work);
        await held.keep(answer);
        return answer;
      } catch (error) {
        await held.drop();
        throw error;
      }
    } catch (error) {
      const isRunning = isInnsigliError(error) && error.code === 'idempotency.in_flight';
      // What nobody will answer is not waited for.
      if (!isRunning || isAnswerLost(error) || waits >= WAITS) throw error;
      await sleep(WAIT_MS);
    }
  }
}
