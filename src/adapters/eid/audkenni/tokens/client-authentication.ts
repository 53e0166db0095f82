/** The header with name and password of a client. @spec RFC 6749 §2.3.1 */
export function basicAuthorization(clientId: string, secret: string): { authorization: string } {
  const [user, password] = [clientId, secret].map((text) =>
    new URLSearchParams({ _: text }).toString().slice(2),
  );
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
