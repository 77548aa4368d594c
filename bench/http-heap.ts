// Loaded into the server by bench/http.ts: reports the live heap after a garbage collection on each SIGUSR2.
process.on('SIGUSR2', async () => {
  // Some objects are only freed by a second collection.
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ alive: heapUsed + external + arrayBuffers, resident: rss })}\n`);
});
