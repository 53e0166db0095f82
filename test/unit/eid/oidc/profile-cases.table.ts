import type { OidcOptions, OidcProfileName } from '../../../../src/adapters/eid/oidc/index.ts';
import type { EidIdentity, EidRequest } from '../../../../src/app/ports/index.ts';

/** A broker according to its public documentation: the request and the resulting claims. */
export interface ProfileCase {
  readonly profile: OidcProfileName;
  readonly name: string;
  readonly request: Partial<EidRequest>;
  readonly options?: Partial<OidcOptions>;
  /** Authorization parameters of the profile. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Claims of the ID token and of userinfo. */
  readonly idToken: Readonly<Record<string, unknown>>;
  readonly userinfo: Readonly<Record<string, unknown>>;
  readonly identity: EidIdentity;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const nsis = 'https://data.gov.dk/concept/core/nsis/';
const sub = '5cb6c9e2';

/** One login per broker and means. */
export const profileCases: readonly ProfileCase[] = [
  {
    profile: 'neb',
    name: 'MitID through Nets eID Broker, for a public body',
    request: { language: 'da', text: 'Log ind', minAssurance: 'substantial' },
    parameters: {
      scope: 'openid mitid ssn',
      prompt: 'login',
      language: 'da',
      idp_values: 'mitid',
      idp_params: JSON.stringify({
        mitid: {
          reference_text: base64('Log ind'),
          loa_value: 'substantial',
          action_text: 'LOG_ON',
        },
      }),
    },
    idToken: { sub, idp: 'mitid', identity_type: 'private', loa: `${nsis}Substantial` },
    userinfo: {
      sub,
      'mitid.uuid': '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
      'mitid.identity_name': 'Ditlev Von Testesen',
      'mitid.date_of_birth': '1961-07-07',
      'mitid.has_cpr': 'true',
      'dk.cpr': '070761-4285',
    },
    identity: {
      ssn: '0707614285',
      name: 'Ditlev Von Testesen',
      country: 'DK',
      subject: '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
      assurance: 'substantial',
      birthDate: '1961-07-07',
    },
  },
  {
    profile: 'idura',
    name: 'MitID through Idura',
    request: { language: 'da', text: 'Log ind', loginHint: '070761-4285', minAssurance: 'high' },
    parameters: {
      scope: 'openid',
      acr_values: 'urn:grn:authn:dk:mitid:high',
      login_hint: `sub:0707614285 message:${base64('Log ind')}`,
    },
    idToken: {
      sub: '{0f9960a0-d28d-4353-a3e2-ea07f8ffa185}',
      identityscheme: 'dkmitid',
      authenticationtype: 'urn:grn:authn:dk:mitid:high',
      uuid: '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
      cprNumberIdentifier: '0707614285',
      birthdate: '1961-07-07',
      name: 'Ditlev Von Testesen',
      country: 'DK',
    },
    userinfo: {},
    identity: {
      ssn: '0707614285',
      name: 'Ditlev Von Testesen',
      country: 'DK',
      subject: '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
      assurance: 'high',
      birthDate: '1961-07-07',
    },
  },
  {
    profile: 'idura',
    name: 'Swedish BankID through Idura',
    request: { language: 'sv', text: 'Logga in', minAssurance: undefined as never },
    options: {
      overrides: {
        acr: { any: 'urn:grn:authn:se:bankid:another-device:qr' },
        levels: { 'urn:grn:authn:se:bankid:another-device:qr': 'substantial' },
      },
    },
    parameters: {
      acr_values: 'urn:grn:authn:se:bankid:another-device:qr',
      login_hint: `message:${base64('Logga in')}`,
    },
    idToken: {
      sub: '{1373c272-b61a-4cb5-88b2-9c44883fe62f}',
      identityscheme: 'sebankid',
      authenticationtype: 'urn:grn:authn:se:bankid:another-device:qr',
      ssn: '196408233234',
      name: 'Terne Paulsen',
      country: 'SE',
    },
    userinfo: {},
    identity: {
      ssn: '196408233234',
      name: 'Terne Paulsen',
      country: 'SE',
      subject: '{1373c272-b61a-4cb5-88b2-9c44883fe62f}',
      assurance: 'substantial',
    },
  },
  {
    profile: 'signicat',
    name: 'the Icelandic app through Signicat',
    request: { language: 'is', minAssurance: undefined as never },
    options: {
      overrides: { parameters: { prompt: 'login', acr_values: ['{acr}', 'idp:audkenni-app'] } },
    },
    parameters: { scope: 'openid profile idp-id nin', acr_values: 'idp:audkenni-app' },
    idToken: { sub: 'ACHtVyC', idp: 'audkenni-app' },
    userinfo: {
      sub: 'ACHtVyC',
      name: 'ANNA EXAMPLE',
      given_name: 'ANNA',
      family_name: 'EXAMPLE',
      birthdate: '1960-01-12',
      nin: '1201603389',
      nin_type: 'CIVIL',
      nin_issuing_country: 'IS',
    },
    identity: {
      ssn: '1201603389',
      name: 'ANNA EXAMPLE',
      country: 'IS',
      subject: 'ACHtVyC',
      assurance: 'unknown',
      birthDate: '1960-01-12',
    },
  },
  {
    profile: 'signicat',
    name: 'MitID through Signicat',
    request: { language: 'da', minAssurance: 'substantial' },
    parameters: { acr_values: 'loa:substantial', ui_locales: 'da' },
    idToken: { sub: 'raa2gRX' },
    userinfo: {
      sub: 'raa2gRX',
      given_name: 'Saga',
      family_name: 'Poulsen',
      nin: '0707614285',
      nin_issuing_country: 'DK',
      mitid_loa: 'SUBSTANTIAL',
      idp_id: '8314ab25-bf71-49ff-aee6-15e7d084cec1',
    },
    identity: {
      ssn: '0707614285',
      name: 'Saga Poulsen',
      country: 'DK',
      subject: '8314ab25-bf71-49ff-aee6-15e7d084cec1',
      assurance: 'substantial',
    },
  },
  {
    profile: 'kenni',
    name: 'Icelandic means through Kenni',
    request: { language: 'is', minAssurance: undefined as never },
    parameters: { scope: 'openid profile national_id', ui_locales: 'is' },
    idToken: { sub: 'kenni-1', name: 'Anna Example', national_id: '1201603389' },
    userinfo: { sub: 'kenni-1' },
    identity: {
      ssn: '1201603389',
      name: 'Anna Example',
      country: 'IS',
      subject: 'kenni-1',
      assurance: 'unknown',
    },
  },
];

/** Claims of the `generic` profile that yield no identity, by their fault. */
export const badClaims: readonly (readonly [name: string, changes: object])[] = [
  ['no national number', { national_id: undefined }],
  ['a number', { national_id: 1201603389 }],
  ['an object', { national_id: { value: '1201603389' } }],
  ['a short number', { national_id: '120160-338' }],
  ['letters in the number', { national_id: '120160338X' }],
  ['no country', { nin_issuing_country: undefined }],
  ['a country of three letters', { nin_issuing_country: 'ISL' }],
  ['no name', { name: undefined }],
  ['an empty name', { name: '  ' }],
  ['a name with a line break', { name: 'Anna\nExample' }],
  ['a name without end', { name: 'x'.repeat(201) }],
];
