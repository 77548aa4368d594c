import type { ProjectId } from '../../core/model/ids.ts';
import type { Finding, MemoryPlace } from '../../ports/archive.ts';
import { listFiles } from './list-files.ts';
import { refuseLinks } from './memory-place.ts';
import { placedLeftovers } from './sweep.ts';

type Placed = { project: ProjectId; place: MemoryPlace };

/** Memory that was asked to lie in a project: whether it does, and whole. */
export async function inspectPlaces(placed: Placed[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { project, place } of placed) {
    const subject = `projects/${project}`;
    const report = (level: Finding['level'], message: string, hint: string) =>
      findings.push({ level, subject, message, hint });
    if (place.asked === undefined) {
      if (place.trouble !== undefined)
        report(
          'error',
          `${place.trouble} Where its memory lies is not known; the archive's own folder is used.`,
          'If it lies in the project, keepsake init PATH uses it again; if it does not, delete the file.',
        );
      continue;
    }
    const root = JSON.stringify(place.asked);
    if (place.trouble !== undefined) {
      const message = `Its memory should lie in the project, but ${place.trouble} The archive's own folder is used instead.`;
      report(
        'warning',
        message,
        `keepsake init ${root} puts it there again, keepsake init --undo ${root} ends it.`,
      );
    }
    if (place.unfinished !== undefined) {
      const undo = place.unfinished === 'out' ? ' --undo' : '';
      report('warning', 'A move of its memory was cut off.', `keepsake init${undo} ${root} finishes it.`);
    }
    if (place.kind === 'archive') continue;
    for (const path of await placedLeftovers(place.folder))
      report(
        'warning',
        `${path} was left by a write that did not finish.`,
        'A sync removes it once it is an hour old.',
      );
    for (const name of await listFiles(place.folder)) {
      try {
        refuseLinks(place.folder, name.split('/'));
      } catch {
        report(
          'error',
          `${place.folder}/${name} is a link, which is never followed.`,
          'Put a plain file there.',
        );
      }
    }
  }
  return findings;
}
