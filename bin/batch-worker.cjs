// The first file of a worker thread of a batch.
require('./load-bundle.cjs').loadBundle('batch.cjs').exports.serveThread();
