import { type EidEnvironment, EidError } from '../../../../app/ports/index.ts';
import { fetchOver } from '../client/transport.ts';
import type { OidcNumberMatch } from './profile.ts';

/**
 * Has the broker compare a national number with the person of the access token. Brokers permit few
 * tries in a session: there is one.
 *
 * @throws EidError `identityMismatch` when it is another person's number,
 * `invalidResponse` when the broker does not say
 */
export async function requireMatch(
  { path, member, result }: OidcNumberMatch,
  session: { readonly issuer: string; readonly accessToken: string; readonly number: string },
  environment: EidEnvironment,
): Promise<void> {
  const address = `${session.issuer.replace(/\/$/, '')}${path}`;
  const answer = await fetchOver(environment, session.issuer)(address, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${session.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ [member]: session.number }),
  });
  const found: unknown = await answer.json().catch(() => undefined);
  const isObject = typeof found === 'object' && found !== null && Object.hasOwn(found, result);
  const said = isObject ? (found as Record<string, unknown>)[result] : undefined;
  // Whether it is a boolean or its text is not confirmed by public documentation.
  if (answer.status === 200 && (said === true || said === 'true')) return;
  if (answer.status === 200 && (said === false || said === 'false')) {
    throw new EidError('identityMismatch', 'the person has another national number');
  }
  throw new EidError('invalidResponse', 'the broker does not compare the national number');
}
