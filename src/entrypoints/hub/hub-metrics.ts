export type AnsweredRequest = {
  method: string;
  /** As it is written in the list of routes: it names no repository. */
  route: string;
  status: number;
  ms: number;
  bytesIn: number;
  bytesOut: number;
};

/** Counts and durations since the start, as Prometheus reads them. */
export class HubMetrics {
  readonly #requests = new Map<string, { count: number; ms: number }>();
  #bytesIn = 0;
  #bytesOut = 0;
  inFlight = 0;

  add({ method, route, status, ms, bytesIn, bytesOut }: AnsweredRequest): void {
    const key = `method="${method}",route="${route}",status="${status}"`;
    const before = this.#requests.get(key) ?? { count: 0, ms: 0 };
    this.#requests.set(key, { count: before.count + 1, ms: before.ms + ms });
    this.#bytesIn += bytesIn;
    this.#bytesOut += bytesOut;
  }

  render(memoryBytes: number): string {
    const rows = [...this.#requests].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      '# TYPE keepsake_hub_requests_total counter',
      ...rows.map(([labels, { count }]) => `keepsake_hub_requests_total{${labels}} ${count}`),
      '# TYPE keepsake_hub_request_seconds_total counter',
      ...rows.map(
        ([labels, { ms }]) => `keepsake_hub_request_seconds_total{${labels}} ${(ms / 1000).toFixed(4)}`,
      ),
      '# TYPE keepsake_hub_received_bytes_total counter',
      `keepsake_hub_received_bytes_total ${this.#bytesIn}`,
      '# TYPE keepsake_hub_sent_bytes_total counter',
      `keepsake_hub_sent_bytes_total ${this.#bytesOut}`,
      '# TYPE keepsake_hub_requests_in_flight gauge',
      `keepsake_hub_requests_in_flight ${this.inFlight}`,
      '# TYPE keepsake_hub_memory_bytes gauge',
      `keepsake_hub_memory_bytes ${memoryBytes}`,
      '',
    ].join('\n');
  }
}
