import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDigest } from '../../../src/base/bytes.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { derOf, oids } from '../../../src/formats/asn1/index.ts';
import {
  parseSignedData,
  readMessageDigest,
  trimContents,
} from '../../../src/formats/cms/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { verifyTimestampToken } from '../../../src/trust/timestamp.ts';

const corpora = join(import.meta.dirname, '../../../../shared/corpora');
const missing = existsSync(corpora) ? '' : ' (skipped: ../shared/corpora is not there)';
if (missing !== '') console.warn(`corpus of foreign CMS${missing}`);

const MAX_BYTES = 30 * 1024 * 1024;
const RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g;

interface ForeignCms {
  readonly path: string;
  readonly contents: Uint8Array;
  readonly covered: Uint8Array;
}

/** Every `/Contents` with its covered bytes, found by text search. */
function* foreignSignatures(): Generator<ForeignCms> {
  for (const path of readdirSync(corpora, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.pdf')) continue;
    const pdf = readFileSync(join(corpora, path));
    if (pdf.length > MAX_BYTES) continue;
    const text = pdf.toString('latin1');
    for (const match of text.matchAll(RANGE)) {
      const [start, length, next, rest] = match.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      if (start + length > next || next > pdf.length) continue;
      const contents = Buffer.from(text.slice(start + length, next).replace(/[<>\s]/g, ''), 'hex');
      const parts = [pdf.subarray(start, start + length), pdf.subarray(next, next + rest)];
      yield { path, contents, covered: Buffer.concat(parts) };
    }
  }
}

describe.skipIf(missing !== '')(`CMS signatures of other producers${missing}`, () => {
  test('can be read, with matching digests and valid time-stamps', () => {
    const refused: string[] = [];
    const faults: string[] = [];
    let read = 0;
    let stamps = 0;
    const check = (path: string, token: Uint8Array, imprint: Uint8Array) => {
      stamps++;
      const { problem } = verifyTimestampToken({ token, imprint, pool: createCertificatePool() });
      if (problem !== undefined) faults.push(`${path}: ${problem}`);
    };
    for (const { path, contents, covered } of foreignSignatures()) {
      try {
        const cms = trimContents(contents);
        const signedData = parseSignedData(cms);
        read++;
        if (signedData.contentType === oids.tstInfo) check(path, cms, covered);
        for (const info of signedData.signerInfos) {
          const stated = readMessageDigest(info);
          if (signedData.content === undefined && info.digest && stated) {
            const digest = createDigest(info.digest).update(covered).digest();
            if (!digest.equals(stated)) faults.push(`${path}: digest`);
          }
          for (const token of info.unsignedAttributes.get(oids.signatureTimeStampToken) ?? []) {
            check(path, derOf(token), info.signature);
          }
        }
      } catch (error) {
        if (!isInnsigliError(error)) throw error;
        refused.push(`${path}: ${error.code}`);
      }
    }
    // Files made invalid on purpose have names that say so, and are detected.
    const [wrong, others] = [true, false].map((isMeant) =>
      faults.filter((fault) => /wrong/i.test(fault) === isMeant),
    );
    expect(others).toEqual([]);
    expect(wrong?.every((fault) => /: (digest|tsa.imprint.mismatch)$/.test(fault))).toBe(true);
    expect(read).toBeGreaterThan(100);
    expect(stamps).toBeGreaterThan(40);
    // Files without a signature at this position: damaged on purpose, or encrypted.
    expect(refused.length).toBeLessThan(10);
    expect(refused.every((line) => line.endsWith('cms.invalid'))).toBe(true);
  });
});
