import { expect } from 'vitest';
import type { EidEnvironment, EidPoll } from '../../../src/app/ports/index.ts';
import { eidFailCodes } from '../../../src/domain/auth/index.ts';
import { type AnswerFaults, approval } from './bankid-answer.ts';
import { bankidPerson, bankidSignature, openBankidBench } from './bankid-bench.ts';

/** Outcomes of the responses with one byte changed. */
export interface MutantCount {
  readonly refused: number;
  /** Accepted with the signed identity: the byte is insignificant or unsigned. */
  readonly same: number;
}

/** Mutations of a byte: one bit, the letter case, a different letter. */
const changes = [0x01, 0x20, 0x04] as const;

/**
 * Mutates single bytes of the response that completes a signature, each in three ways: every
 * `every`th byte on the wire, and of the XML and the OCSP response within, with the enclosing parts
 * rebuilt.
 */
export async function countMutants(
  part: 'wire' | 'xml' | 'ocsp',
  every: number,
): Promise<MutantCount> {
  const bench = openBankidBench();
  const { state } = await bench.driver.start(bankidSignature, bench.environment);
  await bench.approve();
  bench.advance(2_000);
  const whole = await bench.environment.http({
    method: 'POST',
    url: 'https://appapi2.bankid.com/rp/v6.0/collect',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderRef: state['orderRef'] }),
    timeoutMs: 1,
  });
  const pollWith = (body: Uint8Array): Promise<EidPoll> => {
    const http: EidEnvironment['http'] = async () => ({ status: 200, headers: {}, body });
    return bench.driver.poll(state, { ...bench.environment, http });
  };
  const original = await pollWith(whole.body);
  if (original.status !== 'complete') throw new Error('the unchanged answer is refused');
  const mutate = mutator(part, whole.body, bench);
  const count = { refused: 0, same: 0 };
  for (let at = 0; at < mutate.lengthBytes; at += every) {
    const answer = await pollWith(mutate.at(at, changes[(at / every) % 3] as number));
    if (answer.status === 'complete') {
      expect(answer.identity).toEqual(original.identity);
      count.same++;
      continue;
    }
    expect(answer.status).toBe(answer.status === 'pending' ? 'pending' : 'failed');
    if (answer.status === 'failed') expect(eidFailCodes).toContain(answer.code);
    count.refused++;
  }
  return count;
}

function mutator(part: 'wire' | 'xml' | 'ocsp', body: Uint8Array, bench: Bench) {
  const flipped = (bytes: Uint8Array, place: number, bits: number) =>
    Uint8Array.from(bytes, (byte, at) => (at === place ? byte ^ bits : byte));
  if (part === 'wire') {
    const at = (place: number, bits: number) => flipped(body, place, bits);
    return { lengthBytes: body.length, at };
  }
  const answer = JSON.parse(Buffer.from(body).toString('utf8')) as {
    completionData: { signature: string; ocspResponse: string };
  };
  const { signature, ocspResponse } = answer.completionData;
  const bytes = Buffer.from(part === 'xml' ? signature : ocspResponse, 'base64');
  const at = (place: number, bits: number): Uint8Array => {
    const changed = Buffer.from(flipped(bytes, place, bits)).toString('base64');
    const inside =
      part === 'ocsp'
        ? { ocspResponse: changed }
        : { signature: changed, ocspResponse: ocspFor(changed, bench) };
    const completionData = { ...answer.completionData, ...inside };
    return Buffer.from(JSON.stringify({ ...answer, completionData }));
  };
  return { lengthBytes: bytes.length, at };
}

type Bench = ReturnType<typeof openBankidBench>;

/** An OCSP response that matches any signature. */
function ocspFor(signature: string, { certificates, nowMs }: Bench): string {
  const faults: AnswerFaults = { encoded: () => signature };
  const person = certificates.person(bankidPerson);
  return approval(certificates, { purpose: 'sign' }, person, nowMs(), faults).ocspResponse;
}
