import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import {
  createReferenceBudget,
  feedReference,
  namespaces,
  parseXmlSignature,
  type XmlReference,
} from '../../../../src/formats/xmldsig/index.ts';

const corpora = join(import.meta.dirname, '../../../../../shared/corpora');
const missing = existsSync(corpora) ? '' : ' (skipped: ../shared/corpora is not there)';
if (missing !== '') console.warn(`references of foreign XML signatures${missing}`);

type Verdict = 'match' | 'WRONG' | 'refused' | 'missing' | 'unknown digest' | 'malformed';

/** The verdicts on the references in SignedInfo of all signatures of a file. */
function checkReferences(path: string): readonly (readonly [Verdict, string])[] {
  try {
    const document = parseXml(readFileSync(path));
    const budget = createReferenceBudget(document);
    const findFile = (uri: string) => {
      const beside = join(dirname(path), basename(uri));
      return uri !== '' && existsSync(beside) ? readFileSync(beside) : undefined;
    };
    return document.findAll(namespaces.dsig, 'Signature').flatMap((signature) => {
      const context = { document, signature, budget, findFile };
      const check = (reference: XmlReference): readonly [Verdict, string] => {
        if (reference.digest === undefined) return ['unknown digest', reference.digestUri];
        const hash = createHash(reference.digest);
        const answer = feedReference(reference, context, (piece) => hash.update(piece));
        if ('refused' in answer) return ['refused', answer.refused];
        if ('missing' in answer) return ['missing', answer.missing];
        return [hash.digest().equals(reference.digestValue) ? 'match' : 'WRONG', ''];
      };
      return parseXmlSignature(signature).signedInfo.references.map(check);
    });
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return [['malformed', error.message]];
  }
}

/** Files with an incorrect digest, made so by their test suites or as noted. */
const knownWrong = [
  'signature-rsa-enveloped-bad-digest-val.xml',
  'invalid_saml_sha256_rsa_mgf1.xml',
  'invalid_signature - changed content.xml',
  'invalid_signature_without_transforms_element.xml',
  // An attack: the first digest is in a comment.
  'valid_saml_with_digest_comment.xml',
  // Signed over another layout; its suite removes white space before verifying.
  'windows_store_signature.xml',
  // Signed when the lines of document.xml ended in CR LF.
  'signature-big.xml',
  // Two parallel enveloped signatures: the second invalidated the first.
  'Signature-X-RO_TRA-4.xml',
];

describe.skipIf(missing !== '')(`references of XML signatures by other producers${missing}`, () => {
  test.each([
    ['santuario', 120],
    ['xmlsec', 40],
    ['xml-crypto', 24],
    ['pyhanko', 18],
    ['dss-xades', 40],
  ])('%s: all valid references match, at least %i', (folder, least) => {
    const root = join(corpora, folder);
    const wrong = new Set<string>();
    let matches = 0;
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(xml|ddoc)$/.test(path)) continue;
      for (const [verdict] of checkReferences(join(root, path))) {
        if (verdict === 'match') matches++;
        if (verdict === 'WRONG') wrong.add(basename(path));
      }
    }
    expect([...wrong].filter((name) => !knownWrong.includes(name))).toEqual([]);
    expect(matches).toBeGreaterThanOrEqual(least);
  });
});
