import type { EidPoll, EidState } from '../../../../src/app/ports/index.ts';
import {
  type CscBenchOptions,
  cscOrder,
  cscPeople,
  cscRequest,
  openCscBench,
} from './csc-bench.ts';

/** Returns the driver's result for the response with one byte of its signature flipped. */
export interface FlippedSignature {
  readonly lengthBytes: number;
  poll(at: number, bit: number): Promise<EidPoll>;
}

/** An authorised session, and the response of the provider to it. */
export async function flippedSignature(options: CscBenchOptions): Promise<FlippedSignature> {
  const bench = openCscBench(options);
  const isCms = options.driver?.delivery === 'cms';
  const order = cscOrder(cscPeople(options.key ?? 'RSA-2048').member, { isCms });
  const { state } = await bench.driver.start(cscRequest(order), bench.environment);
  const ready = (await bench.comeBack(state)) as EidState;
  const member = isCms ? 'SignatureObject' : 'signatures';
  let signed = Buffer.alloc(0);
  const answered = async (value: Buffer) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ [member]: [value.toString('base64')] })),
  });
  const first = await bench.driver.poll(ready, {
    ...bench.environment,
    async http(request) {
      const answer = await bench.environment.http(request);
      signed = Buffer.from(JSON.parse(Buffer.from(answer.body).toString())[member][0], 'base64');
      return answer;
    },
  });
  if (first.status !== 'complete') throw new Error(`expected a signature, found ${first.status}`);
  return {
    lengthBytes: signed.length,
    poll(at, bit) {
      const changed = Buffer.from(signed);
      changed[at] = (changed[at] as number) ^ bit;
      return bench.driver.poll(ready, { ...bench.environment, http: () => answered(changed) });
    },
  };
}
