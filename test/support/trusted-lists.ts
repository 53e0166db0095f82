import { sealXml } from '../../src/app/documents/xml/seal-xml.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { keyUsageBits } from '../../src/formats/x509/index.ts';
import { makeTestPki, type TestMember, type TestPki } from './pki.ts';
import { countingRandom, signerOf } from './sealing.ts';

const svcInfo = 'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/';
const listType = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/';

/** The state of a service from a time on. */
export interface TestState {
  /** Last segments of the URI. */
  readonly type?: string;
  readonly status?: string;
  readonly from?: string;
  /** Last segments of URIs of AdditionalServiceInformation. */
  readonly information?: readonly string[];
  readonly qualifications?: readonly TestQualification[];
  /** XML of a further extension, which is critical. */
  readonly critical?: string;
}

/** Qualifiers with the XML of their criteria. */
export interface TestQualification {
  readonly qualifiers: readonly string[];
  readonly criteria: string;
}

/** A service: its present state, and its history. */
export interface TestService extends TestState {
  /** Provider of the service. Default: the first. */
  readonly provider?: string;
  readonly name?: string;
  readonly certificates: readonly Uint8Array[];
  readonly history?: readonly TestState[];
}

/** A pointer to another list. */
export interface TestPointer {
  readonly location: string;
  readonly territory: string;
  readonly signers: readonly TestMember[];
  readonly type?: 'EUgeneric' | 'EUlistofthelists';
  readonly mimeType?: string;
  /** XML of additional information. */
  readonly information?: string;
}

/** Options of a list; every default is valid. */
export interface TestList {
  readonly version?: 5 | 6 | number;
  /** Last segment of the URI. */
  readonly type?: string;
  readonly territory?: string;
  readonly sequence?: number;
  readonly issued?: string;
  /** Empty for a closed scheme. */
  readonly nextUpdate?: string;
  readonly informationUris?: readonly string[];
  readonly pointers?: readonly TestPointer[];
  readonly services?: readonly TestService[];
}

/** The present of the lists that {@link listXml} creates. */
export const listNowMs = Date.UTC(2026, 5, 1, 12);

/** A trusted list without signature. */
export function listXml(list: TestList = {}): string {
  const { version = 6, type = 'EUgeneric', territory = 'IS', sequence = 10 } = list;
  const { issued = '2026-05-01T00:00:00Z', nextUpdate = '2026-10-01T00:00:00Z' } = list;
  const { informationUris = [], pointers = [], services = [] } = list;
  const uris = informationUris.map((uri) => `<URI xml:lang="en">${uri}</URI>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" xmlns:a="http://uri.etsi.org/02231/v2/additionaltypes#" xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#" xmlns:x="http://uri.etsi.org/01903/v1.3.2#" Id="tl" TSLTag="http://uri.etsi.org/19612/TSLTag">
<SchemeInformation>
<TSLVersionIdentifier>${version}</TSLVersionIdentifier>
<TSLSequenceNumber>${sequence}</TSLSequenceNumber>
<TSLType>${listType}${type}</TSLType>
<SchemeOperatorName><Name xml:lang="is">Rekstur</Name><Name xml:lang="en">Operator of ${territory}</Name></SchemeOperatorName>
<SchemeInformationURI>${uris}</SchemeInformationURI>
<SchemeTerritory>${territory}</SchemeTerritory>
<PointersToOtherTSL>${pointers.map(pointerXml).join('')}</PointersToOtherTSL>
<ListIssueDateTime>${issued}</ListIssueDateTime>
<NextUpdate>${nextUpdate === '' ? '' : `<dateTime>${nextUpdate}</dateTime>`}</NextUpdate>
</SchemeInformation>
${providersXml(services)}</TrustServiceStatusList>`;
}

function providersXml(services: readonly TestService[]): string {
  if (services.length === 0) return '';
  const ofService = ({ provider = 'Provider' }: TestService) => provider;
  const names = [...new Set(services.map(ofService))];
  const groups = names.map((name) => services.filter((each) => ofService(each) === name));
  const all = groups.map(
    (own, index) =>
      `<TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="en">${(names[index] ?? '').trim()}</Name></TSPName></TSPInformation><TSPServices>${own.map(serviceXml).join('')}</TSPServices></TrustServiceProvider>`,
  );
  return `<TrustServiceProviderList>${all.join('')}</TrustServiceProviderList>\n`;
}

function certificateXml(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64');
  return `<DigitalId><X509Certificate>${text}</X509Certificate></DigitalId>`;
}

function pointerXml(pointer: TestPointer): string {
  const { location, territory, signers, type = 'EUgeneric' } = pointer;
  const { mimeType = 'application/vnd.etsi.tsl+xml' } = pointer;
  const ids = signers
    .map((one) => `<ServiceDigitalIdentity>${certificateXml(one.der)}</ServiceDigitalIdentity>`)
    .join('');
  const others = [
    `<TSLType>${listType}${type}</TSLType>`,
    `<SchemeTerritory>${territory}</SchemeTerritory>`,
    `<a:MimeType>${mimeType}</a:MimeType>`,
    ...(pointer.information === undefined ? [] : [pointer.information]),
  ].map((each) => `<OtherInformation>${each}</OtherInformation>`);
  return `<OtherTSLPointer><ServiceDigitalIdentities>${ids}</ServiceDigitalIdentities><TSLLocation>${location}</TSLLocation><AdditionalInformation>${others.join('')}</AdditionalInformation></OtherTSLPointer>`;
}

function serviceXml(service: TestService): string {
  const { name = 'Service', certificates, history = [] } = service;
  const names = `<ServiceName><Name xml:lang="en">${name}</Name></ServiceName>`;
  const ids = certificates.map(certificateXml).join('');
  const identity = `<ServiceDigitalIdentity>${ids}</ServiceDigitalIdentity>`;
  const skis =
    '<ServiceDigitalIdentity><DigitalId><X509SKI>AAAA</X509SKI></DigitalId></ServiceDigitalIdentity>';
  const earlier = history
    .map(
      (each) => `<ServiceHistoryInstance>${stateXml(each, names, skis)}</ServiceHistoryInstance>`,
    )
    .join('');
  const now = `<ServiceInformation>${stateXml(service, names, identity)}</ServiceInformation>`;
  return `<TSPService>${now}<ServiceHistory>${earlier}</ServiceHistory></TSPService>`;
}

function stateXml(state: TestState, names: string, identity: string): string {
  const { type = 'CA/QC', status = 'granted', from = '2017-01-01T00:00:00Z' } = state;
  const { information = ['ForeSignatures'], qualifications = [], critical } = state;
  const extension = (content: string) => `<Extension Critical="true">${content}</Extension>`;
  const extensions = [
    ...information.map(
      (each) =>
        `<AdditionalServiceInformation><URI xml:lang="en">${svcInfo}${each}</URI></AdditionalServiceInformation>`,
    ),
    ...(qualifications.length === 0
      ? []
      : [`<q:Qualifications>${qualifications.map(qualificationXml).join('')}</q:Qualifications>`]),
    ...(critical === undefined ? [] : [critical]),
  ].map(extension);
  return `<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>${names}${identity}<ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}</ServiceStatus><StatusStartingTime>${from}</StatusStartingTime><ServiceInformationExtensions>${extensions.join('')}</ServiceInformationExtensions>`;
}

function qualificationXml({ qualifiers, criteria }: TestQualification): string {
  const all = qualifiers.map((each) => `<q:Qualifier uri="${svcInfo}${each}"/>`).join('');
  return `<q:QualificationElement><q:Qualifiers>${all}</q:Qualifiers>${criteria}</q:QualificationElement>`;
}

/** Criteria met by every certificate whose key may sign. */
export const anySigner =
  '<q:CriteriaList assert="all"><q:KeyUsage><q:KeyUsageBit name="digitalSignature">true</q:KeyUsageBit></q:KeyUsage></q:CriteriaList>';

/** Criteria met by no certificate. */
export const nobody =
  '<q:CriteriaList assert="all"><q:PolicySet><q:PolicyIdentifier><x:Identifier>1.2.3.4</x:Identifier></q:PolicyIdentifier></q:PolicySet></q:CriteriaList>';

/** The list with an enveloped XAdES signature of the signer. */
export async function signList(
  xml: string,
  signer: TestMember,
  nowMs = listNowMs,
): Promise<Uint8Array> {
  const { bytes } = await sealXml(
    { source: Buffer.from(xml), level: 'B-B', packaging: 'enveloped', transform: 'enveloped' },
    {
      signer: signerOf(signer),
      anchors: [signer.certificate],
      now: () => nowMs,
      random: countingRandom(),
    },
  );
  return bytes;
}

/** A scheme with separate keys: operators of lists, and authorities listed in them. */
export function makeScheme(pki: TestPki = makeTestPki({ nowMs: listNowMs })) {
  const tslSigning = { extendedKeyUsage: ['0.4.0.2231.3.0', oids.emailProtection] };
  const notBeforeMs = listNowMs - 400 * 86_400_000;
  const operator = (name: string) => pki.issue({ name, notBeforeMs, extensions: tslSigning });
  return { pki, operator };
}

const esi = '0.4.0.1862.1';

/** Claims of a certificate by qcStatements. */
export interface TestClaims {
  readonly compliance?: boolean;
  readonly device?: boolean;
  /** 1: signatures, 2: seals, 3: web. */
  readonly types?: readonly number[];
  readonly countries?: readonly string[];
}

/** A qcStatements extension, for `others` of a certificate. */
export function qcStatements({ compliance = true, device, types, countries }: TestClaims) {
  const statement = (id: string, ...info: Uint8Array[]) => der.sequence(der.oid(id), ...info);
  const value = der.sequence(
    ...(compliance ? [statement(`${esi}.1`)] : []),
    ...(device === true ? [statement(`${esi}.4`)] : []),
    ...(types === undefined
      ? []
      : [statement(`${esi}.6`, der.sequence(...types.map((type) => der.oid(`${esi}.6.${type}`))))]),
    ...(countries === undefined
      ? []
      : [statement(`${esi}.7`, der.sequence(...countries.map((one) => der.printableString(one))))]),
  );
  return { name: oids.qcStatements, critical: false, value };
}

/** A certificate of a signer with claims, by the issuing CA. */
export function qualifiedMember(
  pki: TestPki,
  claims: TestClaims | undefined,
  changes: { readonly notBeforeMs?: number; readonly policies?: readonly string[] } = {},
): TestMember {
  const { policies, notBeforeMs } = changes;
  return pki.issue({
    name: 'qualified',
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    extensions: {
      keyUsage: keyUsageBits.digitalSignature | keyUsageBits.nonRepudiation,
      ...(policies === undefined ? {} : { policies }),
      ...(claims === undefined ? {} : { others: [qcStatements(claims)] }),
    },
  });
}
