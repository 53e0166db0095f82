import type { DigestAlgorithm, SignatureAlgorithm } from '../x509/index.ts';

/** Identifiers of digests. */
export const digestRows: readonly (readonly [string, DigestAlgorithm])[] = [
  ['http://www.w3.org/2001/04/xmldsig-more#md5', 'md5'],
  ['http://www.w3.org/2001/04/xmlenc#ripemd160', 'ripemd160'],
  ['http://www.w3.org/2000/09/xmldsig#sha1', 'sha1'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha224', 'sha224'],
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-224', 'sha3-224'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-256', 'sha3-256'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-384', 'sha3-384'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-512', 'sha3-512'],
];

/** Identifiers of signature algorithms without parameters; PSS salts are as long as the digest. */
export const signatureRows: readonly (readonly [
  string,
  SignatureAlgorithm['scheme'],
  DigestAlgorithm,
])[] = [
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-md5', 'rsa-pkcs1', 'md5'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-ripemd160', 'rsa-pkcs1', 'ripemd160'],
  ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'rsa-pkcs1', 'sha1'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha224', 'rsa-pkcs1', 'sha224'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'rsa-pkcs1', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'rsa-pkcs1', 'sha384'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'rsa-pkcs1', 'sha512'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1', 'rsa-pss', 'sha1'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha224-rsa-MGF1', 'rsa-pss', 'sha224'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', 'rsa-pss', 'sha256'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1', 'rsa-pss', 'sha384'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1', 'rsa-pss', 'sha512'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-224-rsa-MGF1', 'rsa-pss', 'sha3-224'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-256-rsa-MGF1', 'rsa-pss', 'sha3-256'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-384-rsa-MGF1', 'rsa-pss', 'sha3-384'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha3-512-rsa-MGF1', 'rsa-pss', 'sha3-512'],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1', 'ecdsa', 'sha1'],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha224', 'ecdsa', 'sha224'],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', 'ecdsa', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', 'ecdsa', 'sha384'],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', 'ecdsa', 'sha512'],
  ['http://www.w3.org/2007/05/xmldsig-more#ecdsa-ripemd160', 'ecdsa', 'ripemd160'],
  ['http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-224', 'ecdsa', 'sha3-224'],
  ['http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-256', 'ecdsa', 'sha3-256'],
  ['http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-384', 'ecdsa', 'sha3-384'],
  ['http://www.w3.org/2021/04/xmldsig-more#ecdsa-sha3-512', 'ecdsa', 'sha3-512'],
  ['http://www.w3.org/2000/09/xmldsig#dsa-sha1', 'dsa', 'sha1'],
  ['http://www.w3.org/2009/xmldsig11#dsa-sha256', 'dsa', 'sha256'],
  ['http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519', 'ed25519', 'sha512'],
  ['http://www.w3.org/2021/04/xmldsig-more#eddsa-ed448', 'ed448', 'sha512'],
];

/** RSA-PSS with all parameters in an RSAPSSParams element; supported for reading only. */
export const rsaPssUri = 'http://www.w3.org/2007/05/xmldsig-more#rsa-pss';

/** Named curves by OID, with the length in bytes of their order, which is that of r and of s. */
export const curveRows: readonly (readonly [string, number])[] = [
  ['1.2.840.10045.3.1.1', 24],
  ['1.3.132.0.33', 28],
  ['1.2.840.10045.3.1.7', 32],
  ['1.3.132.0.10', 32],
  ['1.3.132.0.34', 48],
  ['1.3.132.0.35', 66],
  ['1.3.36.3.3.2.8.1.1.7', 32],
  ['1.3.36.3.3.2.8.1.1.8', 32],
  ['1.3.36.3.3.2.8.1.1.11', 48],
  ['1.3.36.3.3.2.8.1.1.12', 48],
  ['1.3.36.3.3.2.8.1.1.13', 64],
  ['1.3.36.3.3.2.8.1.1.14', 64],
];
