import { headingOf } from '../../app/reports/index.ts';
import type {
  CmsSignatureReport,
  Indication,
  SignatureReport,
  XmlSignatureReport,
} from '../../verify/report/index.ts';
import { printable, type Style, wrapText } from '../output/index.ts';

/** A signature of any format. */
export type AnySignature = SignatureReport | XmlSignatureReport | CmsSignatureReport;

/** Symbol of an indication. */
export function mark(indication: Indication, style: Style): string {
  if (indication === 'TOTAL-PASSED') return style.green('✓');
  return indication === 'TOTAL-FAILED' ? style.red('✗') : style.yellow('?');
}

/** Maximum number of characters of a value from the document; `--json` shows all of them. */
const VALUE_MAX = 400;

/** Formats a value from a document or certificate on one line, cut if it is long. */
export function shown(text: string): string {
  return printable(
    text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX).replace(/[\ud800-\udbff]$/, '')}…` : text,
  );
}

/** Kind, signer and time of a signature, and the conclusion. */
export function titleLines(
  signature: AnySignature,
  result: string,
  style: Style,
): readonly string[] {
  const { kind, who, when } = headingOf(signature, 'en', shown);
  const by = who === undefined ? kind : `${kind} by ${style.bold(who)}`;
  const title = `${[by, when].filter(Boolean).join(', ')}: ${result}`;
  const [first = '', ...rest] = wrapText(title, style.width - 4);
  return [`  ${mark(signature.indication, style)} ${first}`, ...rest.map((line) => `    ${line}`)];
}

/** Location of a signature: its field, or its file and id. */
export function placesOf(
  signature: AnySignature,
  all: readonly AnySignature[],
): readonly (readonly [string, string])[] {
  if ('field' in signature) return [['field', shown(signature.field)]];
  const { file = '' } = signature;
  const id = 'id' in signature ? (signature.id ?? '') : '';
  const isAlone = all.filter((one) => 'file' in one && one.file === file).length === 1;
  const isNamed = id !== '' && (file === '' || !isAlone);
  return [
    ...(file === '' ? [] : [['file', shown(file)] as const]),
    ...(isNamed ? [['id', shown(id)] as const] : []),
  ];
}

/** The signer according to the holder of the certificate. */
export function statedOf(signature: AnySignature): readonly string[] {
  const name = 'field' in signature ? signature.statedSigner : undefined;
  return name === undefined
    ? []
    : [`${shown(name)} signed, as the holder of the certificate states`];
}

/** Further claims of the signer, which are not verified. */
export function claimsOf(signature: AnySignature): readonly (readonly [string, string])[] {
  const claims: (readonly [string, string])[] = [];
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== '') claims.push([label, value]);
  };
  if ('field' in signature) {
    if (signature.statedSigner === undefined) add('name', signature.name);
    add('reason', signature.reason);
    add('location', signature.location);
  } else if ('offsetBytes' in signature) {
    add('role', signature.roles?.join(', '));
    add('location', signature.location);
    add('commitment', signature.commitments?.map(shortCommitment).join(', '));
    add('policy', signature.policy);
  }
  return claims;
}

/** `ProofOfOrigin` for a commitment type defined by ETSI. */
function shortCommitment(uri: string): string {
  return /^http:\/\/uri\.etsi\.org\/01903\/v[\d.]+#(\w+)$/.exec(uri)?.[1] ?? uri;
}
