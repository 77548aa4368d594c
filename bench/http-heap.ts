// Loaded into the server by bench/http.ts: what is alive after a collection, told on each SIGUSR2.
process.on('SIGUSR2', async () => {
  // What a first collection lets go of, a second one takes.
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ alive: heapUsed + external + arrayBuffers, resident: rss })}\n`);
});
