import type { EidAssurance, EidFailCode } from '../../../../app/ports/index.ts';

/**
 * Value of an authorization parameter. A text may hold placeholders; one without a value removes
 * the text that holds it. A list is joined by spaces, an object is sent as JSON.
 *
 * - `{language}` language of the person
 * - `{level}` level that is asked for: `low`, `substantial` or `high`
 * - `{acr}` value of {@link OidcProfile.acr} for that level
 * - `{text}`, `{text64}` text for the person, plain or as base64 of its UTF-8
 * - `{hint}` national number of the person, where the caller knows it
 * - `{action}` value of {@link OidcProfile.actions} for the purpose
 */
export type OidcParameter = string | readonly string[] | { readonly [member: string]: unknown };

/** Claims that make up an identity: names in order of preference. */
export interface OidcClaims {
  readonly nationalNumber: readonly string[];
  readonly subject: readonly string[];
  readonly name: readonly string[];
  readonly birthDate: readonly string[];
  /** ISO 3166 code of the country that gave the number. */
  readonly country: readonly string[];
  readonly assurance: readonly string[];
}

/** Request that compares a national number with the person who has logged in. */
export interface OidcNumberMatch {
  /** Path below the issuer. */
  readonly path: string;
  /** Member of the request that holds the number. */
  readonly member: string;
  /** Member of the answer that is `true` for the person's own number. */
  readonly result: string;
}

/** What distinguishes a broker from others that speak OpenID Connect. All of it is data. */
export interface OidcProfile {
  /** Name of the driver and of the evidence. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Authorization parameters beside those of the protocol. */
  readonly parameters: Readonly<Record<string, OidcParameter>>;
  /** Languages that the broker knows; absent: any, of which it takes what it has. */
  readonly languages?: readonly string[];
  /** Parameters whose JSON is a member of a request object, and no text in it. */
  readonly jsonParameters: readonly string[];
  /** `acr_values` for a level; `any` without one. */
  readonly acr: Readonly<Partial<Record<'any' | Exclude<EidAssurance, 'unknown'>, string>>>;
  /** Word for the purpose that the person sees. */
  readonly actions: Readonly<Partial<Record<'auth' | 'sign', string>>>;
  /** Characters of the text for the person; 0: the broker shows none, and nothing can be signed. */
  readonly textLength: number;
  /** True when claims have to be asked of the userinfo endpoint. */
  readonly usesUserinfo: boolean;
  /** Pushed authorization requests (RFC 9126): where the provider offers them, always, or never. */
  readonly pushedRequests: 'offered' | 'required' | 'never';
  readonly claims: OidcClaims;
  /** Country of everybody whom the broker identifies, when no claim tells it. */
  readonly country?: string;
  /** Levels by the value of the claim, in lower case. */
  readonly levels: Readonly<Record<string, Exclude<EidAssurance, 'unknown'>>>;
  /** Failures by `error_description` or `error`, before those of the standards. */
  readonly failures: Readonly<Record<string, EidFailCode>>;
  readonly numberMatch?: OidcNumberMatch;
}
