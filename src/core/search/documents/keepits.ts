import type { KeepitMarker } from '../../model/session.ts';
import type { Document } from './document.ts';

/** Keepits as they count now, with their weights; what nobody has confirmed yet is left out. */
export function keepitDocuments(sessionId: string, markers: KeepitMarker[]): Document[] {
  return markers
    .filter(({ held, content }) => !held && content.trim() !== '')
    .map((marker) => ({
      title: `keepit ${marker.weight.toFixed(2)}`,
      text: marker.content.trim(),
      ts: marker.createdAt,
      id: marker.markerId,
      by: marker.origin,
      sessionId,
    }));
}
