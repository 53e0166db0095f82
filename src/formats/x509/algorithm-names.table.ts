/** Names of algorithms that are recognised but not supported, by object identifier. */
export const unsupportedAlgorithms: Readonly<Record<string, string>> = {
  // FIPS 204: RFC 9881, RFC 9882
  '2.16.840.1.101.3.4.3.17': 'ML-DSA-44',
  '2.16.840.1.101.3.4.3.18': 'ML-DSA-65',
  '2.16.840.1.101.3.4.3.19': 'ML-DSA-87',
  '2.16.840.1.101.3.4.3.32': 'HashML-DSA-44 with SHA-512',
  '2.16.840.1.101.3.4.3.33': 'HashML-DSA-65 with SHA-512',
  '2.16.840.1.101.3.4.3.34': 'HashML-DSA-87 with SHA-512',
  // FIPS 205: RFC 9814, RFC 9909
  '2.16.840.1.101.3.4.3.20': 'SLH-DSA-SHA2-128s',
  '2.16.840.1.101.3.4.3.21': 'SLH-DSA-SHA2-128f',
  '2.16.840.1.101.3.4.3.22': 'SLH-DSA-SHA2-192s',
  '2.16.840.1.101.3.4.3.23': 'SLH-DSA-SHA2-192f',
  '2.16.840.1.101.3.4.3.24': 'SLH-DSA-SHA2-256s',
  '2.16.840.1.101.3.4.3.25': 'SLH-DSA-SHA2-256f',
  '2.16.840.1.101.3.4.3.26': 'SLH-DSA-SHAKE-128s',
  '2.16.840.1.101.3.4.3.27': 'SLH-DSA-SHAKE-128f',
  '2.16.840.1.101.3.4.3.28': 'SLH-DSA-SHAKE-192s',
  '2.16.840.1.101.3.4.3.29': 'SLH-DSA-SHAKE-192f',
  '2.16.840.1.101.3.4.3.30': 'SLH-DSA-SHAKE-256s',
  '2.16.840.1.101.3.4.3.31': 'SLH-DSA-SHAKE-256f',
  // RFC 8702
  '1.3.6.1.5.5.7.6.30': 'RSASSA-PSS with SHAKE128',
  '1.3.6.1.5.5.7.6.31': 'RSASSA-PSS with SHAKE256',
  '1.3.6.1.5.5.7.6.32': 'ECDSA with SHAKE128',
  '1.3.6.1.5.5.7.6.33': 'ECDSA with SHAKE256',
  '2.16.840.1.101.3.4.2.11': 'SHAKE128',
  '2.16.840.1.101.3.4.2.18': 'SHAKE256 with another length',
  // RFC 8708
  '1.2.840.113549.1.9.16.3.17': 'HSS/LMS',
  // RFC 1319, RFC 3279
  '1.2.840.113549.2.2': 'MD2',
  '1.2.840.113549.1.1.2': 'RSA with MD2',
  '1.0.10118.3.0.55': 'Whirlpool',
};
