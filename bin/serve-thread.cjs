// The first file of a thread of `innsigli serve`: documents, or jobs.
const { 'serve.ts': load } = require('./innsigli.cjs').loadBundle('service.cjs').exports;
load().then(({ serveThread }) => serveThread());
