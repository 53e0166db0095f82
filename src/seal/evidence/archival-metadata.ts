/** Metadata of an archival document. */
export interface ArchivalFacts {
  readonly title: string;
  readonly language: string;
  readonly madeAtMs: number;
  readonly producer: string;
}

/**
 * A metadata stream that identifies the document as PDF/A-2a. It is not compressed, so that
 * programs without PDF support can find it.
 *
 * @spec ISO 19005-2 §6.6.2, §6.6.4
 */
export function archivalMetadata({
  title,
  language,
  madeAtMs,
  producer,
}: ArchivalFacts): Uint8Array {
  const namespaces = [
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    'xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
  ].join(' ');
  const text = (value: string) => `<rdf:li xml:lang="x-default">${escaped(value)}</rdf:li>`;
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  const packet = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}>
<rdf:Description rdf:about="" ${namespaces}>
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>
<dc:title><rdf:Alt>${text(title)}</rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${new Date(madeAtMs).toISOString().slice(0, 19)}Z</xmp:CreateDate>
<pdf:Producer>${escaped(producer)}</pdf:Producer>
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
  const content = Buffer.from(packet, 'utf8');
  const head = `<</Type /Metadata /Subtype /XML /Length ${content.length}>>\nstream\n`;
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    content,
    Buffer.from('\nendstream', 'latin1'),
  ]);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
