/**
 * True for an address that only this machine reaches: `localhost`, 127.0.0.0/8, ::1 and what is
 * mapped to them; IPv6 with or without brackets.
 *
 * @spec RFC 6761 §6.3, RFC 4291 §2.5.3
 */
export function isLoopbackHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost' || bare === '::1') return true;
  const mapped = /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/;
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(bare) || mapped.test(bare);
}

/**
 * True for an address at which no other machine finds this one: {@link isLoopbackHost}, names below
 * `localhost`, and the unspecified address.
 */
export function isNobodysHost(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return isLoopbackHost(bare) || bare.endsWith('.localhost') || /^(0\.0\.0\.0|::)$/.test(bare);
}
