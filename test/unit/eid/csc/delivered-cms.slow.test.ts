import { expect, test } from 'vitest';
import {
  type CscBenchOptions,
  cscOrder,
  cscPeople,
  cscPki,
  cscRequest,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../../support/openssl.ts';

test.runIf(hasOpenssl).each([
  ['RSA', {}],
  ['PSS', { driver: { rsaPadding: 'pss' } }],
  ['P-256', { key: 'P-256' }],
] as const)(
  `openssl verifies the CMS that signDoc delivers: %s${opensslNote}`,
  async (_, given) => {
    const options: CscBenchOptions = given;
    const cms = { ...options, driver: { ...options.driver, delivery: 'cms' as const } };
    const bench = openCscBench(cms);
    const order = cscOrder(cscPeople(options.key ?? 'RSA-2048').member, { isCms: true });
    const { state } = await bench.driver.start(cscRequest(order), bench.environment);
    const back = await bench.comeBack(state);
    const answer = await bench.driver.poll(back, bench.environment);
    if (answer.status !== 'complete' || answer.signature?.delivery !== 'cms') {
      throw new Error(`expected a CMS, found ${answer.status}`);
    }
    const verified = openssl(
      ['cms', '-verify', '-binary', '-inform', 'DER', '-in', '{cms}', '-content', '{document}']
        .concat(['-CAfile', '{root}', '-purpose', 'any'])
        .concat(['-attime', String(cscPki.nowMs / 1_000)]),
      {
        cms: answer.signature.cms,
        document: 'the document',
        root: pem('CERTIFICATE', cscPki.member('root').der),
      },
    );
    expect(verified.text).toMatch(/CMS Verification successful/);
  },
);
