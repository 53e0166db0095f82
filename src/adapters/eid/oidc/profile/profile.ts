import type { EidAssurance, EidFailCode } from '../../../../app/ports/index.ts';

/**
 * Value of an authorization parameter. A string may contain placeholders; if one of them has no
 * value, the string is omitted. A list is joined by spaces, an object is sent as JSON.
 *
 * - `{language}` language of the person
 * - `{level}` requested level: `low`, `substantial` or `high`
 * - `{acr}` value of {@link OidcProfile.acr} for that level
 * - `{text}`, `{text64}` text for the person, plain or as base64 of its UTF-8
 * - `{hint}` national number of the person, if supplied by the caller
 * - `{action}` value of {@link OidcProfile.actions} for the purpose
 */
export type OidcParameter = string | readonly string[] | { readonly [member: string]: unknown };

/** Claims that make up an identity; names in order of preference. */
export interface OidcClaims {
  readonly nationalNumber: readonly string[];
  readonly subject: readonly string[];
  readonly name: readonly string[];
  readonly birthDate: readonly string[];
  /** ISO 3166 code of the country that issued the number. */
  readonly country: readonly string[];
  readonly assurance: readonly string[];
}

/** Request that compares a national number with that of the logged-in person. */
export interface OidcNumberMatch {
  /** Path below the issuer. */
  readonly path: string;
  /** Request member that contains the number. */
  readonly member: string;
  /** Response member that is `true` if the number is the person's own. */
  readonly result: string;
}

/** Differences between OpenID Connect brokers, as plain data. */
export interface OidcProfile {
  /** Name of the driver and of the scheme in evidence. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Authorization parameters in addition to those of the protocol. */
  readonly parameters: Readonly<Record<string, OidcParameter>>;
  /** Languages supported by the broker. If absent, any language may be sent. */
  readonly languages?: readonly string[];
  /** Parameters whose value is a JSON object, not a string, within a request object. */
  readonly jsonParameters: readonly string[];
  /** `acr_values` by requested level; `any` if none is requested. */
  readonly acr: Readonly<Partial<Record<'any' | Exclude<EidAssurance, 'unknown'>, string>>>;
  /** Name of the action shown to the person, by purpose. */
  readonly actions: Readonly<Partial<Record<'auth' | 'sign', string>>>;
  /** Maximum characters of the text for the person. 0: no text is shown, no signing is possible. */
  readonly textLength: number;
  /** Whether claims have to be requested from the userinfo endpoint. */
  readonly usesUserinfo: boolean;
  /** Pushed authorization requests (RFC 9126): if the provider offers them, always, or never. */
  readonly pushedRequests: 'offered' | 'required' | 'never';
  readonly claims: OidcClaims;
  /** Country of all persons identified by the broker, if no claim states it. */
  readonly country?: string;
  /** Levels by claim value in lower case. */
  readonly levels: Readonly<Record<string, Exclude<EidAssurance, 'unknown'>>>;
  /** Failures by `error_description` or `error`, which take precedence over the standard ones. */
  readonly failures: Readonly<Record<string, EidFailCode>>;
  readonly numberMatch?: OidcNumberMatch;
}
