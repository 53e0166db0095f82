import { createHash } from 'node:crypto';

/** What the evidence calls a session: it says nothing of the token that opens it. */
export function sessionIdOf(token: string): string {
  return createHash('sha256').update(`session ${token}`).digest('hex').slice(0, 32);
}
