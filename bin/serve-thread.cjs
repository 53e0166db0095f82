// The first file of a thread of `innsigli serve`: documents, or jobs.
const parts = require('./innsigli.cjs').loadBundle('service.cjs').exports;
parts['src/wire/serve/serve.ts']().then(({ serveThread }) => serveThread());
