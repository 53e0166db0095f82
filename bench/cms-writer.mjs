// Compares our DER writer with pkijs on one SignedData with the same three signed attributes. For
// the figures of docs/adr/0003: node bench/cms-writer.mjs
import { createHash, sign } from 'node:crypto';
import * as pkijs from 'pkijs';
import { buildSignedAttributes, buildSignedData } from '../build/formats/cms/index.js';
import { parseCertificate } from '../build/formats/x509/index.js';
import { agreement, openMaterial } from './material.mjs';
import { measure } from './measure.mjs';

const material = await openMaterial();
const { certificate, chain, privateKey } = material.keys.rsa;
const parsed = parseCertificate(certificate);
const messageDigest = new Uint8Array(createHash('sha256').update(agreement).digest());
const certificateDigest = createHash('sha256').update(certificate).digest();
const signatureAlgorithm = material.signers.rsa.algorithm;
const value = sign('sha256', messageDigest, privateKey);
const oid = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsa: '1.2.840.113549.1.1.1',
};

function writeOwn(signature) {
  const signedAttributes = buildSignedAttributes({
    contentType: oid.data,
    messageDigest,
    certificate: parsed,
    certificateDigest: 'sha256',
  });
  return buildSignedData({
    digest: 'sha256',
    signedAttributes,
    signatureAlgorithm,
    signature: signature ?? sign('sha256', signedAttributes, privateKey),
    certificate: parsed,
    certificates: [certificate, ...chain],
  });
}

// pkijs takes values of asn1js, which is not a dependency of ours, so its classes are taken from a
// parsed certificate.
const signer = pkijs.Certificate.fromBER(certificate);
const embedded = [signer, ...chain.map((der) => pkijs.Certificate.fromBER(der))];
const Sequence = signer.issuer.toSchema().constructor;
const SetOf = signer.issuer.toSchema().valueBlock.value[0].constructor;
const ObjectIdentifier = signer.signatureAlgorithm.toSchema().valueBlock.value[0].constructor;
const OctetString = signer.extensions[0].toSchema().valueBlock.value.at(-1).constructor;

const attribute = (type, ...values) => new pkijs.Attribute({ type, values });
const bytes = (bytes) => new OctetString({ valueHex: bytes });

function writePkijs(signature) {
  const sequence = (...items) => new Sequence({ value: items });
  const signedAttributes = [
    attribute(oid.contentType, new ObjectIdentifier({ value: oid.data })),
    attribute(oid.messageDigest, bytes(messageDigest)),
    attribute(oid.signingCertificate, sequence(sequence(sequence(bytes(certificateDigest))))),
  ];
  const info = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({
      issuer: signer.issuer,
      serialNumber: signer.serialNumber,
    }),
    digestAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oid.sha256 }),
    signatureAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oid.rsa }),
    signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes: signedAttributes }),
  });
  const toSign = new SetOf({ value: signedAttributes.map((each) => each.toSchema()) }).toBER();
  info.signature = bytes(signature ?? sign('sha256', new Uint8Array(toSign), privateKey));
  const signed = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [info.digestAlgorithm],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: oid.data }),
    certificates: embedded,
    signerInfos: [info],
  });
  const content = signed.toSchema(true);
  return new pkijs.ContentInfo({ contentType: oid.signedData, content }).toSchema().toBER();
}

const rows = await measure(
  [
    { name: 'RSA-3072 key operation alone', work: () => sign('sha256', messageDigest, privateKey) },
    { name: 'own writer, value given', work: () => writeOwn(value) },
    { name: 'pkijs, value given', work: () => writePkijs(value) },
    { name: 'own writer and key operation', work: () => writeOwn() },
    { name: 'pkijs and key operation', work: () => writePkijs() },
  ],
  { rounds: 9, roundMs: 300 },
);
material.close();
for (const { name, cpuMs } of rows) console.log(`${name}: ${Math.round(cpuMs * 1000)} µs`);
console.log(`bytes: own ${writeOwn(value).length}, pkijs ${writePkijs(value).byteLength}`);
