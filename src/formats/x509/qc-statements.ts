import {
  contentOf,
  type DerNode,
  oids,
  readDer,
  readOid,
  readSequence,
  readText,
} from '../asn1/index.ts';
import type { Certificate } from './certificate.ts';
import { readExtension } from './extensions.ts';
import { parsing } from './malformed.ts';

/** Statements of a certificate according to ETSI EN 319 412-5. */
export interface QcStatements {
  /** Whether it is a qualified certificate under the law of the EU, or of the countries named. */
  readonly compliance: boolean;
  /** Whether the key is in a qualified signature creation device. */
  readonly device: boolean;
  /** Purposes of the certificate; empty if it states none. */
  readonly purposes: readonly ('esig' | 'eseal' | 'web')[];
  /** Countries under whose law it is qualified; empty for the EU. */
  readonly countries: readonly string[];
}

const statements = {
  compliance: '0.4.0.1862.1.1',
  device: '0.4.0.1862.1.4',
  purpose: '0.4.0.1862.1.6',
  legislation: '0.4.0.1862.1.7',
};

const purposes: Readonly<Record<string, 'esig' | 'eseal' | 'web'>> = {
  '0.4.0.1862.1.6.1': 'esig',
  '0.4.0.1862.1.6.2': 'eseal',
  '0.4.0.1862.1.6.3': 'web',
};

/**
 * Parses the statements of a certificate; without the extension, it claims nothing.
 *
 * @throws x509.invalid if the extension is malformed
 * @spec RFC 3739 §3.2.6, ETSI EN 319 412-5 §4.2
 */
export function parseQcStatements(certificate: Certificate): QcStatements {
  return parsing('a qcStatements extension', () => {
    const found = new Map<string, DerNode | undefined>();
    const value = findExtension(certificate, oids.qcStatements);
    for (const node of value === undefined ? [] : readSequence(value, 'qcStatements')) {
      const [name, info] = readSequence(node, 'qcStatement');
      found.set(readOid(name, 'statement'), info);
    }
    const types = found.get(statements.purpose);
    const countries = found.get(statements.legislation);
    return {
      compliance: found.has(statements.compliance),
      device: found.has(statements.device),
      purposes: (types === undefined ? [] : readSequence(types, 'QcType')).flatMap(
        (type) => purposes[readOid(type, 'QcType')] ?? [],
      ),
      countries: (countries === undefined ? [] : readSequence(countries, 'countries')).map((each) =>
        readText(each),
      ),
    };
  });
}

function findExtension({ tbsDer }: Certificate, wanted: string): DerNode | undefined {
  const wrapper = readSequence(readDer(tbsDer), 'TBSCertificate').find(({ tag }) => tag === 0xa3);
  if (wrapper === undefined) return undefined;
  for (const node of readSequence(readDer(contentOf(wrapper)), 'extensions')) {
    const { name, content } = readExtension(node);
    if (name === wanted) return readDer(content());
  }
  return undefined;
}
