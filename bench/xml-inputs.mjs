/**
 * Returns an order of at least this many bytes: declarations, prefixes, attributes, references,
 * accents.
 */
export function orderDocument(sizeBytes) {
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Order xmlns="urn:example:order"',
    ' xmlns:cac="urn:example:parts" xmlns:cbc="urn:example:words">\n',
  ];
  let length = Buffer.byteLength(parts.join(''));
  for (let number = 1; length < sizeBytes; number++) {
    const line = orderLine(number);
    parts.push(line);
    length += Buffer.byteLength(line);
  }
  return new Uint8Array(Buffer.from(`${parts.join('')}</Order>\n`));
}

function orderLine(number) {
  const quantity = `<cbc:Quantity unitCode="C62">${(number % 9) + 1}</cbc:Quantity>`;
  const amount = `<cbc:Amount currencyID="EUR">${number}.50</cbc:Amount>`;
  const text = `<cbc:Description>Þjónusta &amp; ráðgjöf ${number}</cbc:Description>`;
  const item = `<cac:Item>${text}<cbc:Name>Item ${number}</cbc:Name></cac:Item>`;
  return `  <cac:OrderLine><cbc:ID>${number}</cbc:ID>${quantity}${amount}${item}</cac:OrderLine>\n`;
}
