import { describe, expect, test } from 'vitest';
import { locales } from '../../../src/base/words/locale.ts';
import { blocksOf } from '../../../src/seal/evidence/blocks.ts';
import {
  type EvidenceRecord,
  type EvidenceSignee,
  maskRecord,
} from '../../../src/seal/evidence/index.ts';
import { personNames } from '../../support/person-names.table.ts';

const hash = 'ab'.repeat(32);
const at = '2026-11-21T15:04:05.678Z';

interface Changes {
  readonly signee?: Partial<EvidenceSignee>;
  readonly signature?: Partial<EvidenceRecord['signatures'][number]>;
  readonly process?: Partial<EvidenceRecord['process']>;
  readonly step?: Partial<EvidenceRecord['steps'][number]>;
}

function recordOf({ signee, signature, process, step }: Changes): EvidenceRecord {
  const other = { keySha256: hash, name: 'Bera', signatureType: 'Simple' };
  return {
    ...{ format: 'innsigli.evidence', version: 1, madeAt: at, isSimulated: false },
    company: { key: 'c1', name: 'Prófun ehf.' },
    process: { key: 'sp1', flowName: 'Lán', fileName: 'Lán.pdf', createdAt: at, ...process },
    documents: {
      signed: { sha256: hash, lengthBytes: 10 },
      sealed: { sha256: hash, lengthBytes: 20, level: 'B-LTA' },
    },
    signees: [{ ...other, name: 'Jaak', ...signee }, other],
    signatures: [{ field: 'Signature1', kind: 'signature', isIntact: true, ...signature }],
    steps: [{ seq: 1, at, status: 'Created', by: 'System', facts: {}, hash, ...step }],
    deliveries: [],
    chain: { count: 1, head: hash },
  };
}

/** The masked copy as record, and as a page in every language. */
function copyOf(changes: Changes) {
  const record = maskRecord(recordOf(changes), hash);
  const pages = locales.map((language) =>
    blocksOf(record, hash, language).map(({ label = '', text }) => `${label} ${text}`),
  );
  return { record, all: JSON.stringify([record, pages]).replaceAll(hash, '').replaceAll(at, '') };
}

const leaksOf = (all: string, secrets: readonly string[]) =>
  secrets.filter((each) => all.includes(JSON.stringify(each).slice(1, -1)));

describe('certificate names in the masked evidence', () => {
  test.each(Object.entries(personNames))(
    'contain no personal number: %s',
    (_, { subject, secrets, masked }) => {
      const [, common = ''] = /CN=((?:\\.|[^,+\\])+)/.exec(subject) ?? [];
      const plain = common.replace(/\\(.)/g, '$1');
      const { record, all } = copyOf({
        signee: { certificate: subject, certificateName: plain },
        signature: { subject, issuer: subject, name: plain },
      });
      expect(leaksOf(all, secrets)).toEqual([]);
      expect(record.signees[0]?.certificate).toBe(masked);
      expect(record.signatures[0]).toMatchObject({ subject: masked, issuer: masked });
      expect(record.signatures[0]?.name).toBe(record.signees[0]?.certificateName);
    },
  );

  test('of an authority keep their registration number', () => {
    const issuer = 'CN=ESTEID2018,organizationIdentifier=NTREE-10747013,O=SK ID Solutions AS,C=EE';
    expect(copyOf({ signature: { subject: 'CN=a', issuer } }).record.signatures[0]).toMatchObject({
      issuer,
    });
  });
});

describe('personal numbers and addresses in the masked evidence', () => {
  const known = {
    ...{ personalCode: '6000101994', phoneNumber: '+372 5550123', email: 'jaak@bank.ee' },
    ip: '192.0.2.1',
  };
  const written: readonly (readonly [text: string, masked: string])[] = [
    ['kt. 6000101994', 'kt. …94'],
    ['kt. 600010-1994', 'kt. …94'],
    ['kt. 600010 1994', 'kt. …94'],
    ['kt. 600010\u20131994', 'kt. …94'],
    ['PNOIS-600010-1994_b', 'PNOIS-…94_b'],
    ['kt. 600010_1994', 'kt. …94'],
    ['kt. 600010 · 1994', 'kt. …94'],
    ['kt. 600010\u00ad1994', 'kt. …94'],
    ['kt. 60\u200b0010\u200b1994', 'kt. …94'],
    ['kt. \uff16\uff10\uff10\uff10\uff11\uff10\uff11\uff19\uff19\uff14', 'kt. …94'],
    ['s. 555,01,23', 's. …23'],
    ['s. +3725550123', 's. +…23'],
    ['s. (+372) 555-0123', 's. (+…23'],
    ['s. 555 01 23', 's. …23'],
    ['to JAAK@bank.ee', 'to j…@…'],
    ['to other+1@work.example', 'to o…@…'],
    ['6000101994@eesti.ee', '…@…'],
    ['from 192.0.2.1', 'from …'],
    ['law 111/2023, 4.500.000 kr.', 'law 111/2023, 4.500.000 kr.'],
    ['192.0.2.15', '192.0.2.15'],
  ];
  test.each(written)('are masked in the text %j', (text, masked) => {
    // The number of one person may appear in the texts of another.
    const { record, all } = copyOf({
      signee: { ...known, name: text, reason: text },
      signature: { signeeName: text, name: 'x', reason: text, field: text },
      process: { fileName: `${text} (1).pdf`, flowName: text, userName: text },
      step: { description: text, signeeName: text, facts: { to: text } },
    });
    if (masked !== text) expect(leaksOf(all, [text])).toEqual([]);
    const { process, signees, signatures, steps } = record;
    expect(process).toMatchObject({
      ...{ fileName: `${masked} (1).pdf`, flowName: masked, userName: masked },
    });
    expect(signees[0]).toMatchObject({ name: masked, reason: masked });
    expect(signatures[0]).toMatchObject({ signeeName: masked, reason: masked, field: masked });
    expect(steps[0]).toMatchObject({ description: masked, signeeName: masked });
    expect(steps[0]?.facts).toEqual({ to: masked });
  });

  test.each([
    ['PNOEE-38001085718', '38001085718'],
    ['191212121212', '121212-1212'],
    ['131052-308T', '131052308t'],
  ])('are masked: the number %s written as %s', (personalCode, text) => {
    const { all } = copyOf({ signee: { personalCode, reason: `a ${text} b` } });
    expect(leaksOf(all, [personalCode, text])).toEqual([]);
  });
});
