import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../../src/app/documents/verify-document.ts';
import { finalizeProcess } from '../../../../src/app/finalize/index.ts';
import type { Job } from '../../../../src/app/ports/index.ts';
import { runCommand } from '../../../../src/app/service/index.ts';
import {
  pollQualified,
  type SigningPorts,
  signByClick,
  startQualified,
} from '../../../../src/app/signing/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import type { ProcessKey } from '../../../../src/domain/keys.ts';
import type { ProcessPolicy, SigningProcess } from '../../../../src/domain/process/process.ts';
import { parseCertificate } from '../../../../src/formats/x509/index.ts';
import { sealPdf } from '../../../../src/index.ts';
import { fixture, sealOptions } from '../../../support/sealing.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeEach(async () => {
  world = await openSigningWorld();
});
afterEach(() => world.close());

async function claim(owner: string, leaseMs = 60_000): Promise<Job | undefined> {
  const { store, now } = world.ports;
  const kinds = ['finalize'] as const;
  const [job] = await store.claimJobs({ owner, kinds, nowMs: now(), leaseMs, limit: 1 });
  return job;
}

async function signed(
  policy: Partial<ProcessPolicy> = {},
  content = fixture('agreement.pdf'),
): Promise<SigningProcess> {
  const name = 'Þórður Łucja Čeněk Ödön 沒有 𝒜';
  const process = await world.open([person(1, { name })], {}, policy, content);
  return signByClick(world.ports, by(process));
}

const finalize = async (owner = 'w1', ports: SigningPorts = world.ports) =>
  finalizeProcess((await claim(owner)) as Job, ports);

const statusesOf = async (key: ProcessKey) => {
  const rows = await world.ports.store.read((unit) => unit.activity.rows(key));
  return rows.map(({ status }) => status);
};

describe('finalizing after the last signature', () => {
  test.each(['B-B', 'B-T', 'B-LT', 'B-LTA'] as const)(
    'seals the document and the evidence at %s',
    async (sealLevel) => {
      const { key } = await signed({ sealLevel });
      const before = await world.bytes(key);
      await finalize();
      const done = await world.read(key);
      expect(done).toMatchObject({
        status: 'Completed',
        phase: 'Done',
        finalization: { level: sealLevel },
      });
      const after = await world.bytes(key);
      expect(after.subarray(0, before.length)).toEqual(before);
      const { signatures } = await world.verify(key);
      const own = signatures.filter(({ kind }) => kind === 'signature');
      expect(own.map(({ level, indication }) => [level, indication])).toEqual([
        [sealLevel, 'TOTAL-PASSED'],
        [sealLevel, 'TOTAL-PASSED'],
      ]);
      expect(await claim('w2')).toBeUndefined();
    },
  );

  test('attaches a sealed evidence page and a matching evidence record', async () => {
    const { key } = await signed();
    await finalize();
    const { attachments, document, original } = await world.read(key);
    const { blobs } = world.stored;
    const [page, json] = await Promise.all(
      attachments.map((each) => blobs.get(each.document.sha256)),
    );
    if (page === undefined || json === undefined) throw new Error('no evidence');
    const record = JSON.parse(Buffer.from(json).toString('utf8'));
    const head = record.steps.at(-1);
    expect(record).toMatchObject({
      isSimulated: true,
      documents: { original, sealed: { ...document, level: 'B-B' } },
      signees: [{ method: 'click', ip: '192.0.2.7', userAgent: 'Vafri/1.0' }],
      chain: { count: record.steps.length, head: head.hash },
    });
    expect(head).toMatchObject({ status: 'SigneeSigned', facts: { ip: '192.0.2.7' } });
    const anchors = [parseCertificate(world.trust.rootCertificate)];
    const source = memorySource(page);
    const report = await verifyDocument({
      ...{ source, anchors, nowMs: world.ports.now() },
      revocation: 'ignore',
    });
    expect(report.signatures).toMatchObject([{ indication: 'TOTAL-PASSED' }]);
    if (spawnSync('pdftotext', ['-v']).error !== undefined) {
      console.log('evidence: no pdftotext, its text is not read');
      return;
    }
    const path = join(world.stored.folder, 'evidence.pdf');
    writeFileSync(path, page);
    const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
    expect(text.normalize('NFC')).toContain('Þórður Łucja Čeněk Ödön'.normalize('NFC'));
    expect(text).toContain(createHash('sha256').update(json).digest('hex'));
    expect(text).toContain(head.hash);
    expect(text).toContain('PRÓFUN');
  });

  /** The evidence record of a process signed with the signee's certificate. */
  async function qualifiedEvidence(about: Parameters<typeof person>[1]): Promise<string> {
    const { ports } = world;
    const qualified = { signatureType: 'Qualified', ssn: '6000101994', ...about } as const;
    const process = await world.open([person(1, qualified)], {}, { evidencePage: true });
    const { token } = await startQualified(ports, { ...by(process), channel: 'App' });
    world.pass(2_000);
    await pollQualified(ports, { ...by(process), token });
    await finalize();
    const { attachments } = await world.read(process.key);
    const json = await world.stored.blobs.get(attachments[1]?.document.sha256 ?? '');
    return Buffer.from(json).toString('utf8');
  }

  test.each([true, false])(
    'hides the personal code in the evidence if hidePersonalCode is %s',
    async (hidePersonalCode) => {
      const text = await qualifiedEvidence({ hidePersonalCode });
      expect(text).toContain('CN=Ödön Kőrösi');
      expect(text.includes('6000101994')).toBe(!hidePersonalCode);
    },
  );

  test.each([
    ['Anna Jónsdóttir', 'Ödön Kőrösi'],
    [' ödön  Kőrösi', undefined],
  ])(
    '%j: a different name in the certificate is recorded in the evidence',
    async (name, expected) => {
      const [signee] = JSON.parse(await qualifiedEvidence({ name })).signees;
      expect(signee.certificateName).toBe(expected);
    },
  );

  test('a purely qualified process has an evidence page only if the flow requires it', async () => {
    const { ports } = world;
    const process = await world.open([
      person(1, { signatureType: 'Qualified', ssn: '6000101994' }),
    ]);
    const { token } = await startQualified(ports, { ...by(process), channel: 'App' });
    world.pass(2_000);
    await pollQualified(ports, { ...by(process), token });
    await finalize();
    expect(await world.read(process.key)).toMatchObject({ status: 'Completed', attachments: [] });
  });

  test('happens only once, whichever worker comes second', async () => {
    const { key } = await signed();
    const slow = (await claim('slow', 1_000)) as Job;
    world.pass(2_000);
    const quick = (await claim('quick')) as Job;
    await finalizeProcess(quick, world.ports);
    const { document } = await world.read(key);
    await finalizeProcess(slow, world.ports);
    const now = await world.read(key);
    expect(now.document).toEqual(document);
    // Evidence as page and record, each in full and masked.
    expect(now.attachments).toHaveLength(4);
    expect((await statusesOf(key)).filter((each) => each === 'Completed')).toHaveLength(1);
  });

  test('a worker that lost its lease while another finalized writes nothing', async () => {
    const { key } = await signed();
    const slow = (await claim('slow', 1_000)) as Job;
    let quickly: Promise<unknown> | undefined;
    const ports: SigningPorts = {
      ...world.ports,
      async openSealing(level) {
        world.pass(2_000);
        quickly ??= finalizeProcess((await claim('quick')) as Job, world.ports);
        await quickly;
        return world.ports.openSealing(level);
      },
    };
    await expect(finalizeProcess(slow, ports)).rejects.toMatchObject({ code: 'process.conflict' });
    expect((await statusesOf(key)).filter((each) => each === 'Completed')).toHaveLength(1);
    const { signatures } = await world.verify(key);
    expect(signatures).toHaveLength(2);
  });

  test('a finalization killed before its end is repeated from the signed document', async () => {
    const { key } = await signed();
    const dying: SigningPorts = {
      ...world.ports,
      store: {
        ...world.ports.store,
        read: (work) => world.ports.store.read(work),
        write: () => Promise.reject(new InnsigliError('store.full', 'killed')),
      },
    };
    const job = (await claim('dying')) as Job;
    await expect(finalizeProcess(job, dying)).rejects.toMatchObject({ code: 'store.full' });
    world.pass(61_000);
    await finalize('heir');
    expect((await world.read(key)).status).toBe('Completed');
    expect((await world.verify(key)).signatures).toHaveLength(2);
  });

  test.each([
    'trust.mismatch',
    'contents.unshared',
    'vault.key.mismatch',
    'store.mismatch',
  ] as const)('%s is a fault of the host and does not count as an attempt', async (code) => {
    const { key } = await signed();
    const ports: SigningPorts = {
      ...world.ports,
      openSealing: () => Promise.reject(new InnsigliError(code, 'another host')),
    };
    await expect(finalize('w1', ports)).rejects.toMatchObject({ code });
    expect((await world.read(key)).finalization.attempts).toBe(0);
  });

  test('failures are recorded, back off, and stop after the eighth attempt', async () => {
    const { key } = await signed({ sealLevel: 'B-T' });
    const broken: SigningPorts = {
      ...world.ports,
      openSealing: async (level) => ({
        ...(await world.ports.openSealing(level)),
        authority: {
          name: 'broken',
          timestamp: () => Promise.reject(new InnsigliError('tsa.timeout', 'no answer of broken')),
        },
      }),
    };
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      const failure = await finalize(`w${attempt}`, broken);
      expect(failure).toEqual({
        code: 'tsa.timeout',
        why: 'no answer of broken',
        isFinal: attempt === 8,
      });
      const { finalization, phase } = await world.read(key);
      expect(finalization).toMatchObject({ attempts: attempt, errorCode: 'tsa.timeout' });
      expect(phase).toBe(attempt < 8 ? 'Finalizing' : 'FinalizeFailed');
      const next = await world.ports.store.read((unit) => unit.jobs.find('finalize', key));
      if (next === undefined) break;
      waits.push((next.runAtMs - world.ports.now()) / 60_000);
      world.pass(next.runAtMs - world.ports.now());
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60]);
    expect(await claim('nobody')).toBeUndefined();
    await runCommand(world.ports, key, { type: 'retryFinalize', by: 'owner@example.is' });
    expect(await finalize('again')).toBeUndefined();
    expect(await world.read(key)).toMatchObject({
      status: 'Completed',
      finalization: { level: 'B-T' },
    });
  });

  test('a process that crashed several workers is postponed', async () => {
    const { key } = await signed();
    let job = (await claim('w', 1_000)) as Job;
    while (job.attempts <= 5) {
      world.pass(2_000);
      job = (await claim('w', 1_000)) as Job;
    }
    await finalizeProcess(job, world.ports);
    expect(await world.read(key)).toMatchObject({
      phase: 'Finalizing',
      finalization: { attempts: 1, errorCode: 'process.finalize.failed' },
    });
  });

  test('error messages of a failed finalization contain no personal names', async () => {
    const { key, document } = await signed();
    await world.stored.blobs.remove(document?.sha256 ?? '');
    await finalize();
    const { finalization } = await world.read(key);
    expect(finalization.errorCode).toBe('blob.missing');
    const ports: SigningPorts = {
      ...world.ports,
      openSealing: () => Promise.reject(new Error('Þórður 0101302989')),
    };
    world.pass(60_000);
    await finalize('w2', ports);
    const now = await world.read(key);
    expect(now.finalization.errorCode).toBe('process.finalize.failed');
    expect(JSON.stringify(now.finalization)).not.toContain('Þórður');
  });

  test('an untrusted signature that came with the document does not prevent finalization', async () => {
    const foreign = await sealPdf(
      fixture('agreement.pdf'),
      sealOptions(undefined, { level: 'B-B' }),
    );
    const { key } = await signed({ sealLevel: 'B-LTA' }, foreign.bytes);
    await finalize();
    expect((await world.read(key)).status).toBe('Completed');
    const { signatures } = await world.verify(key);
    const own = signatures.filter(({ kind }) => kind === 'signature');
    expect(own.map(({ indication }) => indication)).toEqual([
      'INDETERMINATE',
      'TOTAL-PASSED',
      'TOTAL-PASSED',
    ]);
  });
});
