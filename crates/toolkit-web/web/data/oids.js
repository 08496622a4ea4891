//! Names of object identifiers in certificates. Sources: RFC 5280, RFC 4519, RFC 5912, RFC 8410, the CA/Browser Forum's
//! baseline requirements. Short attribute names follow OpenSSL.

import { rowsOf } from './rows.js';

/** Names by identifier, from lines of a common prefix and "last number, name" each. @param {string} table @returns {Record<string, string>} */
const named = (table) =>
  Object.fromEntries(
    rowsOf(table, ': ').flatMap(([prefix, entries = '']) =>
      entries.split(', ').map((entry) => {
        const [, last, name = ''] = /^(\d+) (.*)/.exec(entry) ?? [];
        return [`${prefix}.${last}`, name];
      }),
    ),
  );

export const ATTRIBUTES = named(`
2.5.4: 3 CN, 4 SN, 5 serialNumber, 6 C, 7 L, 8 ST, 9 street, 10 O, 11 OU, 12 title, 13 description
2.5.4: 15 businessCategory, 17 postalCode, 41 name, 42 GN, 43 initials, 44 generationQualifier, 46 dnQualifier
2.5.4: 65 pseudonym, 97 organizationIdentifier
1.2.840.113549.1.9: 1 emailAddress
0.9.2342.19200300.100.1: 1 UID, 25 DC
1.3.6.1.4.1.311.60.2.1: 1 jurisdictionL, 2 jurisdictionST, 3 jurisdictionC
`);

export const ALGORITHMS = named(`
1.2.840.113549.1.1: 1 rsaEncryption, 4 md5WithRSAEncryption, 5 sha1WithRSAEncryption, 10 rsassaPss
1.2.840.113549.1.1: 11 sha256WithRSAEncryption, 12 sha384WithRSAEncryption, 13 sha512WithRSAEncryption
1.2.840.113549.1.1: 14 sha224WithRSAEncryption
1.2.840.10040.4: 1 dsaEncryption, 3 dsaWithSHA1
2.16.840.1.101.3.4.3: 2 dsaWithSHA256, 17 ML-DSA-44, 18 ML-DSA-65, 19 ML-DSA-87
1.2.840.10045.2: 1 ecPublicKey
1.2.840.10045.4: 1 ecdsa-with-SHA1
1.2.840.10045.4.3: 2 ecdsa-with-SHA256, 3 ecdsa-with-SHA384, 4 ecdsa-with-SHA512
1.3.101: 110 X25519, 111 X448, 112 Ed25519, 113 Ed448
2.16.840.1.101.3.4.2: 1 SHA-256, 2 SHA-384, 3 SHA-512
1.3.14.3.2: 26 SHA-1
`);

/** @type {Record<string, { name: string, bits: number }>} */
export const CURVES = {
  '1.2.840.10045.3.1.7': { name: 'P-256', bits: 256 },
  '1.3.132.0.34': { name: 'P-384', bits: 384 },
  '1.3.132.0.35': { name: 'P-521', bits: 521 },
  '1.3.132.0.10': { name: 'secp256k1', bits: 256 },
  '1.2.840.10045.3.1.1': { name: 'P-192', bits: 192 },
  '1.3.132.0.33': { name: 'P-224', bits: 224 },
  '1.3.36.3.3.2.8.1.1.7': { name: 'brainpoolP256r1', bits: 256 },
  '1.3.36.3.3.2.8.1.1.11': { name: 'brainpoolP384r1', bits: 384 },
};

export const EXTENSIONS = named(`
2.5.29: 9 Subject Directory Attributes, 14 Subject Key Identifier, 15 Key Usage, 16 Private Key Usage Period
2.5.29: 17 Subject Alternative Name, 18 Issuer Alternative Name, 19 Basic Constraints, 20 CRL Number, 21 CRL Reason
2.5.29: 24 Invalidity Date, 27 Delta CRL Indicator, 28 Issuing Distribution Point, 29 Certificate Issuer
2.5.29: 30 Name Constraints, 31 CRL Distribution Points, 32 Certificate Policies, 33 Policy Mappings
2.5.29: 35 Authority Key Identifier, 36 Policy Constraints, 37 Extended Key Usage, 46 Freshest CRL
2.5.29: 54 Inhibit Any Policy
1.3.6.1.5.5.7.1: 1 Authority Information Access, 3 Qualified Certificate Statements, 11 Subject Information Access
1.3.6.1.5.5.7.1: 24 TLS Feature
1.3.6.1.5.5.7.48.1: 5 OCSP No Check
1.3.6.1.4.1.11129.2.4: 2 Signed Certificate Timestamps, 3 Precertificate Poison
2.16.840.1.113730.1: 1 Netscape Certificate Type, 13 Netscape Comment
`);

/** Purposes, policies, access methods and the like. */
export const OTHERS = named(`
1.3.6.1.5.5.7.3: 1 TLS server, 2 TLS client, 3 code signing, 4 e-mail protection, 8 time stamping, 9 OCSP signing
2.5.29.37: 0 any purpose
1.3.6.1.4.1.311.10.3: 4 encrypting file system
1.3.6.1.4.1.311.20.2: 2 smart card login, 3 user principal name
2.5.29.32: 0 any policy
2.23.140.1.2: 1 domain validated, 2 organization validated, 3 individual validated
2.23.140.1: 1 extended validation
1.3.6.1.5.5.7.48: 1 OCSP, 2 CA issuers, 3 time stamping, 5 CA repository
1.3.6.1.5.5.7.2: 1 practice statement, 2 user notice
1.2.840.113549.1.9: 7 challenge password, 14 extension request
`);
