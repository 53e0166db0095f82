import { createHash } from 'node:crypto';
import { signToken } from '../../../../src/adapters/tsa/index.ts';
import { buildMessageImprint } from '../../../../src/formats/tsp/index.ts';
import {
  findQualifyingProperties,
  parseQualifyingProperties,
  timestampImprintPieces,
  type XadesTimestampKind,
} from '../../../../src/formats/xades/index.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import { namespaces, parseXmlSignature } from '../../../../src/formats/xmldsig/index.ts';
import type { TestMember } from '../../../support/pki.ts';
import { issuerOf, testPolicy } from '../../../support/tsa.ts';
import { pki } from './sign-xml.ts';

const { dsig, xades141, excC14n } = namespaces;

/** Names of time-stamp properties, with the prefix that {@link signXml} binds to XAdES. */
const names: Partial<Record<XadesTimestampKind, string>> = {
  signature: 'x:SignatureTimeStamp',
  sigAndRefs: 'x:SigAndRefsTimeStamp',
  refsOnly: 'x:RefsOnlyTimeStamp',
  archive132: 'x:ArchiveTimeStamp',
  archive141: 'y:ArchiveTimeStamp',
};

/** Variations of a test time-stamp. */
export interface StampOptions {
  readonly authority?: TestMember;
  readonly timeMs?: number;
  /** The bytes to cover instead. */
  readonly bytes?: Uint8Array;
}

/** A token of the test PKI's authority over the bytes. */
export function tokenOver(bytes: Uint8Array, options: StampOptions = {}): Uint8Array {
  const { authority = pki.member('tsa'), timeMs = pki.nowMs } = options;
  const digest = createHash('sha256').update(bytes).digest();
  return signToken(issuerOf(pki, authority), true, {
    policy: testPolicy,
    imprintDer: buildMessageImprint('sha256', digest),
    serialNumber: Uint8Array.of(1, 2, 3),
    genTimeMs: timeMs,
  });
}

/** The text with another unsigned property at the end. */
export function append(text: string, property: string): string {
  const end = '</x:UnsignedSignatureProperties>';
  if (text.includes(end)) return text.replace(end, () => property + end);
  const group =
    `<x:UnsignedProperties xmlns:y="${xades141}"><x:UnsignedSignatureProperties>${property}` +
    `${end}</x:UnsignedProperties>`;
  return text.replace('</x:QualifyingProperties>', (last) => group + last);
}

/** The text with a time-stamp of this kind over the existing properties. */
export function stamp(text: string, kind: XadesTimestampKind, options: StampOptions = {}): string {
  const bytes = options.bytes ?? imprintOctets(text, kind);
  const token = Buffer.from(tokenOver(bytes, options)).toString('base64');
  const name = names[kind] ?? '';
  return append(
    text,
    `<${name}><ds:CanonicalizationMethod Algorithm="${excC14n}"/>` +
      `<x:EncapsulatedTimeStamp>${token}</x:EncapsulatedTimeStamp></${name}>`,
  );
}

function imprintOctets(text: string, kind: XadesTimestampKind): Uint8Array {
  const document = parseXml(Buffer.from(text));
  const [element] = document.findAll(dsig, 'Signature');
  if (element === undefined) throw new Error('a signature');
  const signature = parseXmlSignature(element);
  const [own] = findQualifyingProperties(signature);
  if (own === undefined) throw new Error('properties');
  const properties = parseQualifyingProperties(own);
  const pieces: Uint8Array[] = [];
  const answer = timestampImprintPieces(
    {
      signature,
      properties,
      timestamp: {
        kind,
        canonicalUri: excC14n,
        prefixList: [],
        includes: [],
        element: undefined,
      },
      context: { document, signature: element },
    },
    (piece) => pieces.push(new Uint8Array(piece)),
  );
  if (!('covered' in answer)) throw new Error(JSON.stringify(answer));
  return Buffer.concat(pieces);
}

/** CertificateValues and RevocationValues. */
export function validationValues(data: {
  readonly certificates?: readonly Uint8Array[];
  readonly crls?: readonly Uint8Array[];
  readonly ocsps?: readonly Uint8Array[];
}): string {
  const list = (name: string, values: readonly Uint8Array[] = []) =>
    values.map((der) => `<x:${name}>${Buffer.from(der).toString('base64')}</x:${name}>`).join('');
  return (
    `<x:CertificateValues>${list('EncapsulatedX509Certificate', data.certificates)}` +
    '</x:CertificateValues><x:RevocationValues>' +
    `<x:CRLValues>${list('EncapsulatedCRLValue', data.crls)}</x:CRLValues>` +
    `<x:OCSPValues>${list('EncapsulatedOCSPValue', data.ocsps)}</x:OCSPValues>` +
    '</x:RevocationValues>'
  );
}

/** Everything that {@link validationValues} needs for signer and authority of the test PKI. */
export const goodData = {
  certificates: [pki.member('ca').der, pki.member('root').der],
  crls: [pki.crl(), pki.crl(pki.member('root'))],
};
