import { der, oids } from '../../src/formats/asn1/index.ts';
import { serializeSignatureAlgorithm } from '../../src/formats/x509/index.ts';
import { signWith, type TestMember } from './pki.ts';

/** One extension, its value DER. */
export type TestExtension = readonly [oid: string, value: Uint8Array, isCritical?: boolean];

/** Contents of a CRL of {@link crlWith}. */
export interface TestCrl {
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  readonly crlNumber?: number;
  readonly entries?: readonly {
    readonly member: TestMember;
    readonly revokedAtMs: number;
    readonly reasonCode?: number;
    readonly extensions?: readonly TestExtension[];
  }[];
  readonly extensions?: readonly TestExtension[];
  /** Issuer name. Default: that of the signer. */
  readonly issuerDer?: Uint8Array;
}

function extension([oid, value, isCritical = false]: TestExtension): Uint8Array {
  const flag = isCritical ? [der.element(0x01, [Uint8Array.of(0xff)])] : [];
  return der.sequence(der.oid(oid), ...flag, der.octetString(value));
}

/** A CRL in which the test controls every extension. */
export function crlWith(signer: TestMember, crl: TestCrl): Uint8Array {
  const algorithm = serializeSignatureAlgorithm(signer.algorithm);
  const { thisUpdateMs, nextUpdateMs, crlNumber = 1, entries = [], extensions = [] } = crl;
  const list = entries.map(({ member, revokedAtMs, reasonCode, extensions: more = [] }) => {
    const reason: readonly TestExtension[] =
      reasonCode === undefined ? [] : [[oids.crlReason, der.enumerated(reasonCode)]];
    const all = [...reason, ...more].map(extension);
    return der.sequence(
      der.integerFromContent(member.certificate.serialNumber),
      der.certificateTime(revokedAtMs),
      ...(all.length === 0 ? [] : [der.sequence(...all)]),
    );
  });
  const number = extension([oids.crlNumber, der.smallInteger(crlNumber)]);
  const tbsDer = der.sequence(
    der.smallInteger(1),
    algorithm,
    crl.issuerDer ?? signer.certificate.subjectDer,
    der.certificateTime(thisUpdateMs),
    ...(nextUpdateMs === undefined ? [] : [der.certificateTime(nextUpdateMs)]),
    ...(list.length === 0 ? [] : [der.sequence(...list)]),
    der.explicit(0, der.sequence(number, ...extensions.map(extension))),
  );
  return der.sequence(tbsDer, algorithm, der.bitString(signWith(signer, tbsDer)));
}

/** Marks a CRL as a delta to the one with the number. */
export function deltaOf(baseNumber: number): TestExtension {
  return [oids.deltaCrlIndicator, der.smallInteger(baseNumber), true];
}

/** IssuingDistributionPoint: the URL, the bits of onlySomeReasons, indirectCRL. */
export function scope(options: {
  readonly url?: string;
  readonly reasons?: number;
  readonly isIndirect?: boolean;
}): TestExtension {
  const { url, reasons, isIndirect } = options;
  const fields: Uint8Array[] = [];
  if (url !== undefined) {
    const name = der.element(0x86, [Buffer.from(url, 'latin1')]);
    fields.push(der.element(0xa0, [der.element(0xa0, [name])]));
  }
  if (reasons !== undefined) {
    const bits = Buffer.alloc(3);
    for (let i = 0; i < 16; i++) {
      if (reasons & (1 << i))
        bits[1 + (i >> 3)] = (bits[1 + (i >> 3)] as number) | (0x80 >> (i & 7));
    }
    fields.push(der.element(0x83, [bits]));
  }
  if (isIndirect === true) fields.push(der.element(0x84, [Uint8Array.of(0xff)]));
  return [oids.issuingDistributionPoint, der.sequence(...fields), true];
}
