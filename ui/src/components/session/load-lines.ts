import { callApi } from '../../api/call-api.ts';
import type { Line } from '../../api/records.ts';

const FIRST = 200;
const PAGE = 20_000;

/** All lines of a session in their order; each page is handed out as it comes. */
export async function loadLines(
  session: { sessionId: string; projectId: string },
  signal: AbortSignal,
  onLines: (lines: Line[], total: number) => void,
): Promise<void> {
  let lines: Line[] = [];
  let after: string | undefined;
  do {
    const page = await callApi('get /api/memory/sessions/{sessionId}/messages', {
      params: { sessionId: session.sessionId },
      query: { project: session.projectId, view: 'l1', limit: lines.length === 0 ? FIRST : PAGE, after },
      signal,
    });
    lines = lines.concat(page.items);
    onLines(lines, page.total);
    after = page.next ?? undefined;
  } while (after !== undefined && !signal.aborted);
}
