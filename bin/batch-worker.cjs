// The first file of a worker thread of a batch.
require('./innsigli.cjs').loadBundle('batch.cjs').exports.serveThread();
