import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseTimestampToken } from '../../../../src/formats/tsp/index.ts';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
  timestampImprintPieces,
  type XadesTimestamp,
} from '../../../../src/formats/xades/index.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import {
  createReferenceBudget,
  namespaces,
  parseXmlSignature,
} from '../../../../src/formats/xmldsig/index.ts';

const corpus = join(import.meta.dirname, '../../../../../shared/corpora/dss-xades');
const missing = existsSync(corpus) ? '' : ' (skipped: ../shared/corpora is not there)';
if (missing !== '') console.warn(`time-stamps of foreign XAdES${missing}`);

/** `file kind verdict` for each token of each signature of a file. */
function judgeTokens(name: string, bytes: Uint8Array): readonly string[] {
  const document = parseXml(bytes);
  const budget = createReferenceBudget(document);
  return document.findAll(namespaces.dsig, 'Signature').flatMap((element) => {
    const signature = parseXmlSignature(element);
    const context = { document, signature: element, budget };
    return findQualifyingProperties(signature).flatMap((found) => {
      const properties = parseQualifyingProperties(found);
      const stamps: XadesTimestamp[] = [
        ...(properties.signed?.contentTimestamps ?? []),
        ...properties.unsigned.flatMap((each) => (each.kind === 'timestamp' ? each.timestamp : [])),
      ];
      return stamps.flatMap((timestamp) =>
        timestamp.tokens.map((token) => {
          const { info } = parseTimestampToken(token);
          const hash = createHash(info.digest ?? 'sha256');
          const answer = timestampImprintPieces(
            { signature, properties, timestamp, context },
            (piece) => hash.update(piece),
          );
          const isSame = hash.digest().equals(info.imprint);
          const verdict = 'covered' in answer ? (isSame ? 'match' : 'mismatch') : 'not computable';
          return `${name} ${timestamp.kind} ${verdict}`;
        }),
      );
    });
  });
}

describe.skipIf(missing !== '')(
  `time-stamps of XAdES signatures by other producers${missing}`,
  () => {
    const files = missing === '' ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }) : [];
    const signed = files.filter((path) => /\.(xml|ddoc)$/.test(path));

    test('cover the computed imprint, with known exceptions', () => {
      const verdicts = signed.flatMap((path) =>
        judgeTokens(basename(path), readFileSync(join(corpus, path))),
      );
      expect(verdicts.length).toBeGreaterThanOrEqual(31);
      expect(verdicts.filter((verdict) => !verdict.endsWith(' match'))).toEqual([
        // ./test1.pdf is not in the corpus.
        'Signature-X-PT-4.xml archive132 not computable',
        // A second signature was added beside it, which invalidates an enveloped signature.
        'Signature-X-RO_TRA-4.xml archive132 mismatch',
      ]);
    });

    test('of version 1.3.2 match once the second signature is removed', () => {
      const path = signed.find((each) => each.endsWith('Signature-X-RO_TRA-4.xml')) ?? '';
      const text = readFileSync(join(corpus, path), 'utf8');
      const alone = text.replace(/<ds:Signature .*?<\/ds:Signature>/s, '');
      expect(judgeTokens('RO', Buffer.from(alone))).toContain('RO archive132 match');
    });
  },
);
