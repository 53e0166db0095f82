/** Decodes the PEM blocks with the given label to DER; empty if there are none. */
export function pemBodies(bytes: Uint8Array, label: string): Uint8Array[] {
  const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodies: Uint8Array[] = [];
  for (let at = buffer.indexOf(begin); at >= 0; at = buffer.indexOf(begin, at + 1)) {
    const stop = buffer.indexOf(end, at);
    if (stop < 0) break;
    bodies.push(Buffer.from(buffer.toString('latin1', at + begin.length, stop), 'base64'));
  }
  return bodies;
}
