import type { OidcProfile } from './profile.ts';

/** Names of {@link oidcProfiles}. */
export type OidcProfileName = 'generic' | 'neb' | 'idura' | 'signicat' | 'kenni';

const claims = {
  nationalNumber: ['national_id', 'nin', 'nationalRegisterId'],
  subject: ['sub'],
  name: ['name'],
  birthDate: ['birthdate'],
  country: ['nin_issuing_country', 'country'],
  assurance: ['loa', 'acr'],
};

const levels = {
  low: 'low',
  substantial: 'substantial',
  high: 'high',
  'http://eidas.europa.eu/loa/low': 'low',
  'http://eidas.europa.eu/loa/substantial': 'substantial',
  'http://eidas.europa.eu/loa/high': 'high',
} as const;

const generic: OidcProfile = {
  name: 'oidc',
  scopes: ['openid', 'profile'],
  parameters: { prompt: 'login', ui_locales: '{language}' },
  jsonParameters: [],
  acr: {},
  actions: {},
  textLength: 0,
  usesUserinfo: true,
  pushedRequests: 'offered',
  claims,
  levels,
  failures: {},
};

const nsis = 'https://data.gov.dk/concept/core/nsis/';

/** MitID with Nets eID Broker: `idp_params`, NSIS levels, all claims of userinfo as strings. */
const neb: OidcProfile = {
  ...generic,
  name: 'oidc-neb',
  scopes: ['openid', 'mitid', 'ssn'],
  parameters: {
    prompt: 'login',
    language: '{language}',
    idp_values: 'mitid',
    idp_params: {
      mitid: { reference_text: '{text64}', loa_value: '{level}', action_text: '{action}' },
    },
  },
  languages: ['da', 'en', 'kl'],
  jsonParameters: ['idp_params'],
  actions: { auth: 'LOG_ON', sign: 'SIGN' },
  textLength: 130,
  claims: {
    ...claims,
    nationalNumber: ['dk.cpr'],
    subject: ['mitid.uuid', 'sub'],
    name: ['mitid.identity_name'],
    birthDate: ['mitid.date_of_birth'],
    country: [],
    assurance: ['loa'],
  },
  country: 'DK',
  levels: {
    [`${nsis}low`]: 'low',
    [`${nsis}substantial`]: 'substantial',
    [`${nsis}high`]: 'high',
  },
  failures: { mitid_user_aborted: 'userCancel', user_aborted: 'userCancel' },
  numberMatch: { path: '/api/v1/mitid/matchCpr', member: 'cpr', result: 'cprNumberMatch' },
};

const mitid = 'urn:grn:authn:dk:mitid:';

/**
 * MitID with Idura. The claim `authenticationtype` repeats the `acr_values` that were used; that a
 * tenant sends it for MitID is not confirmed by public documentation.
 */
const idura: OidcProfile = {
  ...generic,
  name: 'oidc-idura',
  scopes: ['openid'],
  parameters: {
    prompt: 'login',
    ui_locales: '{language}',
    acr_values: '{acr}',
    login_hint: ['sub:{hint}', 'action:{action}', 'message:{text64}'],
  },
  acr: {
    any: `${mitid}substantial`,
    low: `${mitid}low`,
    substantial: `${mitid}substantial`,
    high: `${mitid}high`,
  },
  actions: { sign: 'sign' },
  textLength: 130,
  usesUserinfo: false,
  claims: {
    ...claims,
    nationalNumber: ['cprNumberIdentifier', 'ssn'],
    subject: ['uuid', 'sub'],
    country: ['country'],
    assurance: ['authenticationtype', 'acr'],
  },
  levels: {
    [`${mitid}low`]: 'low',
    [`${mitid}substantial`]: 'substantial',
    [`${mitid}high`]: 'high',
  },
};

/** Signicat. `idp:…` in `acr_values` selects the e-ID; override the parameter to select one. */
const signicat: OidcProfile = {
  ...generic,
  name: 'oidc-signicat',
  scopes: ['openid', 'profile', 'idp-id', 'nin'],
  parameters: { prompt: 'login', ui_locales: '{language}', acr_values: ['{acr}'] },
  acr: { low: 'loa:low', substantial: 'loa:substantial', high: 'loa:high' },
  claims: {
    ...claims,
    nationalNumber: ['nin'],
    subject: ['idp_id', 'sub'],
    country: ['nin_issuing_country'],
    assurance: ['mitid_loa', 'loa', 'acr'],
  },
};

/** Kenni, with the Icelandic e-ID; no documented claim states the level. */
const kenni: OidcProfile = {
  ...generic,
  name: 'oidc-kenni',
  scopes: ['openid', 'profile', 'national_id'],
  parameters: { ui_locales: '{language}' },
  claims: { ...claims, nationalNumber: ['national_id'], country: [] },
  country: 'IS',
};

/** Profiles of the supported brokers, and `generic` for others. */
export const oidcProfiles: Readonly<Record<OidcProfileName, OidcProfile>> = {
  generic,
  neb,
  idura,
  signicat,
  kenni,
};
