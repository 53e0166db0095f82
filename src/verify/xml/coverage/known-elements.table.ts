import { namespaces } from '../../../formats/xmldsig/index.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const dsig = words(`
  SignedInfo CanonicalizationMethod SignatureMethod HMACOutputLength Reference Transforms Transform
  XPath DigestMethod DigestValue SignatureValue KeyInfo KeyName KeyValue RetrievalMethod
  RSAKeyValue Modulus Exponent DSAKeyValue P Q G Y J Seed PgenCounter
  X509Data X509IssuerSerial X509IssuerName X509SerialNumber X509SKI X509SubjectName
  X509Certificate X509CRL
`);

const dsig11 = words(`
  ECKeyValue NamedCurve PublicKey ECParameters FieldID Prime P GnB M TnB PnB K K1 K2 K3 Curve A B
  ValidationData Seed Base Order CoFactor DEREncodedKeyValue KeyInfoReference X509Digest
`);

const xades = words(`
  QualifyingProperties SignedProperties SignedSignatureProperties SignedDataObjectProperties
  SigningTime SigningCertificate SigningCertificateV2 Cert CertDigest IssuerSerial IssuerSerialV2
  SignaturePolicyIdentifier SignaturePolicyId SignaturePolicyImplied SigPolicyId SigPolicyHash
  SigPolicyQualifiers SigPolicyQualifier SPURI SPUserNotice NoticeRef Organization NoticeNumbers
  int ExplicitText Identifier Description DocumentationReferences DocumentationReference
  SignatureProductionPlace SignatureProductionPlaceV2 City StreetAddress StateOrProvince PostalCode
  CountryName SignerRole SignerRoleV2 ClaimedRoles ClaimedRole CertifiedRoles CertifiedRolesV2
  CertifiedRole X509AttributeCertificate OtherAttributeCertificate SignedAssertions SignedAssertion
  DataObjectFormat MimeType Encoding ObjectIdentifier CommitmentTypeIndication CommitmentTypeId
  ObjectReference AllSignedDataObjects CommitmentTypeQualifiers CommitmentTypeQualifier
  AllDataObjectsTimeStamp IndividualDataObjectsTimeStamp
  UnsignedProperties UnsignedSignatureProperties UnsignedDataObjectProperties
  UnsignedDataObjectProperty CounterSignature SignatureTimeStamp CompleteCertificateRefs
  CompleteCertificateRefsV2 CertRefs CompleteRevocationRefs CRLRefs CRLRef CRLIdentifier Issuer
  IssueTime Number OCSPRefs OCSPRef OCSPIdentifier ResponderID ByName ByKey ProducedAt
  DigestAlgAndValue DigestMethod DigestValue OtherRefs OtherRef AttributeCertificateRefs
  AttributeCertificateRefsV2 AttributeRevocationRefs SigAndRefsTimeStamp SigAndRefsTimeStampV2
  RefsOnlyTimeStamp RefsOnlyTimeStampV2 CertificateValues EncapsulatedX509Certificate
  OtherCertificate RevocationValues CRLValues EncapsulatedCRLValue OCSPValues
  EncapsulatedOCSPValue OtherValues OtherValue AttrAuthoritiesCertValues AttributeRevocationValues
  ArchiveTimeStamp Include EncapsulatedTimeStamp XMLTimeStamp EncapsulatedPKIData ReferenceInfo
  HashDataInfo Transforms SignaturePolicyStore SPDocSpecification SignaturePolicyDocument
  SigPolDocLocalURI TimeStampValidationData AnyValidationData RenewedDigestsV2 RecomputedDigestValue
`);

/**
 * The parent of each property that must be signed. Anywhere else it is an unbound claim.
 *
 * @spec ETSI EN 319 132-1 §4.3.4, §4.3.5
 */
export const signedParents: ReadonlyMap<string, string> = new Map([
  ...words(`
    SigningTime SigningCertificate SigningCertificateV2 SignaturePolicyIdentifier
    SignatureProductionPlace SignatureProductionPlaceV2 SignerRole SignerRoleV2
  `).map((name) => [name, 'SignedSignatureProperties'] as const),
  ...words(`
    DataObjectFormat CommitmentTypeIndication AllDataObjectsTimeStamp IndividualDataObjectsTimeStamp
  `).map((name) => [name, 'SignedDataObjectProperties'] as const),
]);

/**
 * Local names, by namespace, of elements that are part of a ds:Signature itself. Signatures and
 * objects, which contain other data, are not included.
 *
 * @spec XML-Signature 1.1 §4, ETSI EN 319 132-1 §5, Annex A
 */
export const knownElements: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      [namespaces.dsig, dsig],
      [namespaces.dsig11, dsig11],
      [namespaces.excC14n, ['InclusiveNamespaces']],
      [namespaces.filter2, ['XPath']],
      [
        namespaces.moreAlgorithms,
        ['RSAPSSParams', 'MaskGenerationFunction', 'SaltLength', 'TrailerField'],
      ],
      [namespaces.xades132, xades],
      [namespaces.xades141, xades],
      [namespaces.xades122, xades],
      [namespaces.xades111, xades],
    ] as const
  ).map(([uri, names]) => [uri, new Set(names)]),
);
