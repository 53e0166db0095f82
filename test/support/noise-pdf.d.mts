/** A document whose pages have an image of noise each, which no filter makes smaller. */
export function noisePdf(pages: number, bytesOfPage: number): Promise<Buffer>;
